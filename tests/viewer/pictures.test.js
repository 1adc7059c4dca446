// The pictures of the docs, into the folder PICTURES.
import { after, before, test } from 'node:test';
import { drawn, file, goTo, openViewer, startBrowser } from './browser.js';

let browser;
before(async () => {
  browser = await startBrowser();
});
after(async () => browser.close());

test('pictures of the docs', async () => {
  const save = async (name, folder, size, frame, act) => {
    const { page } = await openViewer(browser, file(`${folder}/view.html`), size);
    await goTo(page, frame);
    await act(page);
    await drawn(page);
    await page.screenshot({ path: `${process.env.PICTURES}/${name}.png` });
    await page.close();
  };
  const wide = { width: 1120, height: 700 };
  await save('viewer-swing', 'swing', wide, 62, async (page) => {
    await page.selectOption('#colour', 'stress');
  });
  await save('viewer-fields', 'swing', wide, 62, async (page) => {
    await page.selectOption('#colour', 'stress');
    await page.selectOption('#component', '1');
    await page.keyboard.press('u');
    await page.keyboard.press('q');
  });
  await save('viewer-cloth', 'cloth', wide, 90, async (page) => {
    await page.selectOption('#colour', 'state');
    await page.keyboard.press('t');
  });
  await save('viewer-two', 'pair', wide, 78, async (page) => {
    await page.selectOption('#colour', 'stress');
    await page.selectOption('#clip', 'y');
  });
  await save('viewer-phone', 'cloth', { width: 390, height: 720 }, 22, async (page) => {
    await page.click('#menu');
    await page.selectOption('#colour', 'speed');
    await page.click('#menu');
  });
});
