// Saves what is seen, with the legend, as a PNG.

const EDGE = 18;

export function composePicture(view, legend, caption, ink) {
  const picture = document.createElement('canvas');
  picture.width = view.width;
  picture.height = view.height;
  const context = picture.getContext('2d');
  const scale = view.width / view.clientWidth;
  context.drawImage(view, 0, 0);
  context.scale(scale, scale);
  const width = parseFloat(legend.style.width);
  const height = parseFloat(legend.style.height);
  context.drawImage(legend, EDGE, view.clientHeight - EDGE - height, width, height);
  context.font = '12px system-ui, sans-serif';
  context.fillStyle = ink;
  context.fillText(caption, EDGE, EDGE + 10);
  return picture;
}

export function savePicture(picture, name) {
  picture.toBlob((blob) => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }, 'image/png');
}
