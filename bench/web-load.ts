// Loading the page: on this machine, and on a phone with a slow line; against a static page of the same size.
import { sessionId } from '@roost/protocol/ids';
import { runInPage } from '@roost/testkit/rigs/api/chromium';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { PHONE } from '@roost/testkit/rigs/web/open-page';
import type { BenchRow } from './bench-row.ts';
import { quantile } from './timing.ts';
import type { FloorServer } from './web-floor.ts';
import { MARK_ROWS, MARK_SHOWN } from './web-marks.ts';
import { numberIn, type Page, type Profile, type WebRig } from './web-rig.ts';
import { toRow } from './web-row.ts';

const ROUNDS = 10;
/** Rounds that are not counted, for the floor as well: the browser keeps compiled scripts only after some loads. */
const WARM_UP = 3;
const PHONE_ROUNDS = 3;
const PAINTED = `
	const seen = () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime;
	while (seen() === undefined) await new Promise((next) => requestAnimationFrame(next));
	return seen();
`;
/** 1.6 Mb/s, 150 ms. */
const SLOW_LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 100_000 };

export async function measureLoad(rig: WebRig, floor: FloorServer): Promise<BenchRow[]> {
	const { context } = await rig.logIn(MARK_ROWS);
	const body = JSON.stringify(unwrap(await rig.runner.api.feed.rows({ id: sessionId.parse('many0') })));
	const seen = { floor: [] as number[], paint: [] as number[], rows: [] as number[], parse: [] as number[] };
	for (let round = 0; round < ROUNDS; round++) {
		const page = await context.newPage();
		await page.goto(floor.staticUrl);
		await page.waitForSelector('text=Ready');
		seen.floor.push(await numberIn(page, PAINTED));
		await page.goto(rig.address('many'));
		await page.waitForSelector('[role="feed"] article');
		seen.paint.push(await numberIn(page, PAINTED));
		seen.rows.push(await numberIn(page, 'return rowsAt'));
		seen.parse.push(await numberIn(page, parseOf(body)));
		await page.close();
	}
	await context.close();
	const median = (values: readonly number[]) => quantile(values.slice(WARM_UP), 0.5);
	const [paint, rows] = [median(seen.paint), median(seen.rows)];
	const base = { floor: 'a static page of the same size', floorValue: median(seen.floor), unit: 'ms' };
	const parsed = {
		...base,
		floor: `${base.floor}, and JSON.parse of the same rows`,
		floorValue: base.floorValue + median(seen.parse),
	};
	return [
		toRow('page, first contentful paint', { ...base, value: paint }, { most: 150 }),
		toRow('page, rows of a session with 100 000 events', { ...parsed, value: rows }, { most: 300 }),
	];
}

function parseOf(body: string): string {
	return `const body = ${JSON.stringify(body)}; const from = performance.now(); JSON.parse(body); return performance.now() - from;`;
}

/** From a link in a new profile until the request is shown, then the same with what the browser kept. */
export async function measurePhone(rig: WebRig, floor: FloorServer): Promise<BenchRow[]> {
	// Answered when the runner ends.
	rig.agents.few.ask('npm publish').catch(() => undefined);
	const seen = { floor: [] as number[], first: [] as number[], later: [] as number[] };
	for (let round = 0; round < PHONE_ROUNDS; round++) {
		const bare = await rig.chromium.profile(PHONE);
		seen.floor.push(await timeTo(await slowPage(bare), floor.staticUrl));
		await bare.context.close();
		const profile = await rig.chromium.profile(PHONE);
		seen.first.push(await timeTo(await slowPage(profile), await rig.link()));
		await isKept(profile);
		seen.later.push(await timeTo(await slowPage(profile), `${rig.runner.url}/`));
		await profile.context.close();
	}
	const base = { floor: 'a static page of the same size, first visit', floorValue: quantile(seen.floor, 0.5), unit: 'ms' };
	return [
		toRow(
			'page on a phone (4x slower CPU, 1.6 Mb/s, 150 ms), first visit to the request',
			{ ...base, value: quantile(seen.first, 0.5) },
			{ most: 2_000 },
		),
		toRow('page on a phone, later visit to the request', { ...base, value: quantile(seen.later, 0.5) }, { most: 1_000 }),
	];
}

/** The files of the page are in the cache. */
async function isKept({ context }: Profile): Promise<void> {
	const [page] = context.pages();
	if (page) await runInPage(page, 'await navigator.serviceWorker.ready');
}

async function slowPage({ context }: Profile): Promise<Page> {
	const page = await context.newPage();
	await page.addInitScript(MARK_SHOWN);
	const session = await context.newCDPSession(page);
	await session.send('Network.enable');
	await session.send('Network.emulateNetworkConditions', SLOW_LINE);
	await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
	return page;
}

/** From the start of the navigation, by the clock of the page: asking it from outside takes time that the user does not wait. */
async function timeTo(page: Page, url: string): Promise<number> {
	await page.goto(url, { waitUntil: 'commit' });
	return await numberIn(page, 'while (!window.shownAt) await new Promise((next) => setTimeout(next, 20)); return shownAt;');
}
