// Pictures of what is seen, with the legend and the time, and saving them.

const EDGE = 18;

// picture: a canvas to use again.
export function composePicture(view, legend, caption, ink,
                               picture = document.createElement('canvas')) {
  if (picture.width !== view.width || picture.height !== view.height) {
    picture.width = view.width;
    picture.height = view.height;
  }
  const context = picture.getContext('2d');
  context.save();
  const scale = view.width / view.clientWidth;
  context.drawImage(view, 0, 0);
  context.scale(scale, scale);
  const width = parseFloat(legend.style.width);
  const height = parseFloat(legend.style.height);
  context.drawImage(legend, EDGE, view.clientHeight - EDGE - height, width, height);
  context.font = '12px system-ui, sans-serif';
  context.fillStyle = ink;
  context.fillText(caption, EDGE, EDGE + 10);
  context.restore();
  return picture;
}

export function saveBlob(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

export function savePicture(picture, name) {
  picture.toBlob((blob) => saveBlob(blob, name), 'image/png');
}
