// node pages_test.mjs FOLDER: the pages in FOLDER, as readers with and without scripts meet them.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const modules = process.env.PLAYWRIGHT_MODULES;
const { chromium } = require(`${modules}/playwright-core`);
const axe = require.resolve(`${modules}/axe-core`);
const address = (page) => `file://${encodeURI(process.argv[2])}/${page}`;
const views = 'lab01/lab01-views.html', matrix = 'lab03/lab03-similarity.html';

let failures = 0;
function expect(holds, what) {
  if (holds) return;
  ++failures;
  console.log(`FAILED: ${what}`);
}

const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync',
    '--disable-background-networking', '--disable-component-update'],
});

// Runs `body` on a page of its own, on which no script may fail and nothing may be fetched.
async function on(name, options, body) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.on('pageerror', (error) => expect(false, `${name}: ${error.message}`));
  page.on('request', (request) => expect(/^(file|data):/.test(request.url()),
                                         `${name} fetches ${request.url()}`));
  await page.goto(address(name));
  await body(page);
  await context.close();
}

// --- everyone can read every page ----------------------------------------------------------------
// The layout follows the width alone, the colours the scheme alone: two views see all four.
for (const name of ['index.html', 'claims.html', views, matrix])
  for (const [colorScheme, width] of [['light', 360], ['dark', 1280]])
    await on(name, { colorScheme, viewport: { width, height: 800 } }, async (page) => {
      const where = `${name}, ${colorScheme}, ${width} pixels wide`;
      // What is folded away is read too.
      await page.evaluate(() => {
        for (const folded of document.querySelectorAll('details')) folded.open = true;
      });
      await page.addScriptTag({ path: axe });
      const { violations } = await page.evaluate(() => window.axe.run());
      for (const { id, nodes } of violations)
        expect(false, `${where}: ${id}: ${nodes[0].html.slice(0, 200)}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(wide <= width, `${where}: the page is ${wide} pixels wide`);
      const dark = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      expect((dark === 'rgb(255, 255, 255)') === (colorScheme === 'light'), `${where}: ${dark}`);
    });

// --- links lead somewhere, and pictures are there ------------------------------------------------
await on('index.html', { javaScriptEnabled: true }, async (page) => {
  const targets = await page.$$eval('a', (links) => links.map((link) => link.href));
  expect(targets.some((target) => target.endsWith(views)), 'no link to the views');
  expect(targets.some((target) => target.endsWith('claims.html')), 'no link to the claims');
  const here = await page.$$eval('[id]', (elements) => elements.map(({ id }) => id));
  for (const target of targets.filter((target) => target.includes('#')))
    expect(here.includes(decodeURIComponent(target.split('#')[1])), `${target} leads nowhere`);
});
for (const name of ['index.html', 'claims.html'])
  await on(name, {}, async (page) => {
    const broken = await page.$$eval('img', (images) => Promise.all(images.map((image) => {
      image.loading = 'eager';
      return image.decode().then(() => '', () => image.src);
    })));
    expect(broken.length > 0 && broken.every((src) => !src), `${name}: no picture ${broken}`);
  });

// --- without scripts the drawn figure is there ---------------------------------------------------
for (const name of [views, matrix])
  await on(name, { javaScriptEnabled: false }, async (page) => {
    expect(await page.isVisible('#static img'), `${name}: no picture without scripts`);
    expect(!await page.isVisible('#interactive'), `${name}: a dead canvas without scripts`);
  });

// --- the interactive pages answer ----------------------------------------------------------------
const readout = (page) => page.textContent('#readout');
const numbers = async (page) => JSON.parse(await page.textContent('#data'));
const shown = (value) => value.toFixed(4).replace('-', '\u2212');

await on(matrix, {}, async (page) => {
  const data = await numbers(page);
  expect(!await page.isVisible('#static'), 'the picture stands beside the canvas');
  expect((await readout(page)).startsWith('positions 0 and 4, 4 apart'), await readout(page));
  await page.focus('#canvas');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  const wanted = `positions 1 and 6, 5 apart: ${data.valueTitle} ${shown(data.values[1 * 24 + 6])}`;
  expect((await readout(page)).startsWith(wanted), `${await readout(page)}, wanted ${wanted}`);
  expect((await readout(page)).endsWith('all 19 pairs 5 apart have the same value'),
         await readout(page));
  const box = await page.locator('#canvas').boundingBox();
  await page.mouse.move(box.x + 46 + 1, box.y + 8 + 1);  // the corner inside the axes
  expect((await readout(page)).startsWith('positions 0 and 0, 0 apart'), await readout(page));
});

await on(views, {}, async (page) => {
  const data = await numbers(page);
  await page.focus('#canvas');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  const wanted = `position 1, dimension 1 (cosine of pair 0): ${shown(data.values[32 + 1])}`;
  expect(await readout(page) === wanted, `${await readout(page)}, wanted ${wanted}`);
  const before = await page.locator('#canvas').screenshot();
  await page.focus('#dimensions-from');
  await page.keyboard.press('End');  // 31: the other end is pushed along
  expect(await page.textContent('#dimensions-to-value') === '31', 'the last dimension alone');
  expect((await readout(page)).includes('dimension 31'), await readout(page));
  await page.focus('#positions-to');
  await page.keyboard.press('Home');
  expect(await page.textContent('#positions-from-value') === '0', 'the first position alone');
  await page.focus('#heatmap');
  await page.keyboard.press('ArrowRight');
  expect(await page.isChecked('#waves'), 'the arrow key chooses the other view');
  expect(!before.equals(await page.locator('#canvas').screenshot()), 'the picture has changed');
});

await browser.close();
console.log(failures ? `${failures} failed` : 'all is well');
process.exit(failures ? 1 : 0);
