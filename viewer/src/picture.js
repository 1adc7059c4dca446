// Composes pictures of the view, with the legend and the time, and saves them.

const EDGE = 18;

// sides: whose canvases are put where they are in the window; picture: a canvas to use again.
export function composePicture(sides, legend, caption, ink,
                               picture = document.createElement('canvas')) {
  const [view] = sides;
  const scale = view.canvas.width / view.canvas.clientWidth;
  const width = Math.round(scale * window.innerWidth);
  const height = Math.round(scale * window.innerHeight);
  if (picture.width !== width || picture.height !== height) {
    picture.width = width;
    picture.height = height;
  }
  const context = picture.getContext('2d');
  context.save();
  for (const { canvas } of sides) {
    const box = canvas.getBoundingClientRect();
    context.drawImage(canvas, Math.round(scale * box.left), Math.round(scale * box.top));
  }
  context.scale(scale, scale);
  const wide = parseFloat(legend.style.width);
  const tall = parseFloat(legend.style.height);
  context.drawImage(legend, EDGE, window.innerHeight - EDGE - tall, wide, tall);
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
