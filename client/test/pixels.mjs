// What is on the screen, as numbers.

/** Takes a picture of the page and returns its pixels. */
export async function pixels(page, clip) {
  const picture = (await page.screenshot(clip ? { clip } : {})).toString('base64');
  // The browser decodes it.
  const decoded = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    let text = '';
    for (let i = 0; i < data.length; i += 0x8000) text += String.fromCharCode(...data.subarray(i, i + 0x8000));
    return { width: bitmap.width, height: bitmap.height, data: btoa(text) };
  }, picture);
  return new Pixels(decoded.width, decoded.height, Buffer.from(decoded.data, 'base64'));
}

/** Pixels of a picture, row by row from the top. */
class Pixels {
  constructor(width, height, data) {
    Object.assign(this, { width, height, data });
  }

  /** The color at x, y: r, g, b in 0 … 255. */
  at(x, y) {
    const i = 4 * (y * this.width + x);
    return { r: this.data[i], g: this.data[i + 1], b: this.data[i + 2] };
  }

  /** The share of pixels whose color meets a condition. */
  share(condition) {
    let n = 0;
    for (let y = 0; y < this.height; y++) for (let x = 0; x < this.width; x++) n += condition(this.at(x, y)) ? 1 : 0;
    return n / (this.width * this.height);
  }
}
