// The feed of a session in the browser: CPU time per frame while events arrive and while it is scrolled, against a list in plain DOM.
import { runInPage } from '@roost/testkit/rigs/api/chromium';
import { z } from 'zod';
import { arrive } from './arrivals.ts';
import type { BenchRow } from './bench-row.ts';
import type { Report } from './hook-client.ts';
import { quantile } from './timing.ts';
import type { FloorServer } from './web-floor.ts';
import { FRAMES, type Meter, openMeter } from './web-meter.ts';
import { FEW, MANY, type Page, type WebRig } from './web-rig.ts';
import { toRow } from './web-row.ts';

const RATES = [100, 1_000] as const;
const ROUNDS = 3;
const SECONDS = 3;
/** The main thread per frame at each rate, in milliseconds. */
const MOST_MS = { 100: 4, 1000: 8 } as const;
const MOST_RATIO = 1.2;
const SCROLL_FRAMES = 240;

type Opened = { page: Page; meter: Meter };
type Pages = Record<'few' | 'many' | 'floor', Opened>;

export async function measureFeeds(rig: WebRig, floor: FloorServer): Promise<BenchRow[]> {
	const { context } = await rig.logIn(FRAMES);
	const open = async (url: string): Promise<Opened> => {
		const page = await context.newPage();
		await page.goto(url);
		await page.waitForSelector('[role="feed"] article');
		return { page, meter: await openMeter(page) };
	};
	const pages = {
		few: await open(rig.address('few')),
		many: await open(rig.address('many')),
		floor: await open(floor.listUrl(MANY)),
	};
	const rows: BenchRow[] = [];
	for (const perSecond of RATES) rows.push(...(await measureRate(perSecond, pages, rig.agents, floor)));
	rows.push(...(await measureHeap(pages)), ...(await measureScroll(pages)));
	await context.close();
	return rows;
}

async function measureRate(
	perSecond: (typeof RATES)[number],
	{ few, many, floor }: Pages,
	agents: WebRig['agents'],
	server: FloorServer,
): Promise<BenchRow[]> {
	const times = { few: [] as number[], many: [] as number[], floor: [] as number[] };
	const bare: Report = Object.assign(
		async (payload: Record<string, unknown> = {}) => {
			server.push(JSON.stringify(payload));
			return '';
		},
		{ [Symbol.dispose]: () => {} },
	);
	for (let round = 0; round <= ROUNDS; round++) {
		const seen = {
			floor: await cpuWhile(floor, [bare], perSecond),
			few: await cpuWhile(few, agents.few.reports, perSecond),
			many: await cpuWhile(many, agents.many.reports, perSecond),
		};
		// The first round is a warm-up.
		if (round > 0) for (const name of ['floor', 'few', 'many'] as const) times[name].push(seen[name]);
	}
	const bar = `feed of 100 000 events, CPU per frame at ${perSecond} events/s`;
	const value = quantile(times.many, 0.5);
	const [floorValue, fewValue] = [quantile(times.floor, 0.5), quantile(times.few, 0.5)];
	return [
		toRow(bar, { floor: 'a list in plain DOM with as many rows', floorValue, value, unit: 'ms' }, { most: MOST_MS[perSecond] }),
		toRow(bar, { floor: `the same with ${FEW} events`, floorValue: fewValue, value, unit: 'ms' }, { mostRatio: MOST_RATIO }),
	];
}

let reported = 0;

/** Until the last event is shown. */
async function cpuWhile({ page, meter }: Opened, agents: readonly Report[], perSecond: number): Promise<number> {
	await page.bringToFront();
	const [first, count] = [reported, perSecond * SECONDS];
	reported += count;
	const payloadAt = (index: number) => ({
		hook_event_name: 'Notification',
		message: `event-${first + index}-`,
		notification_type: 'bench',
	});
	return await meter.perFrame(async () => {
		await arrive({ perSecond, count, agents, payloadAt, onDue: () => {} });
		await page.waitForSelector(`[role="feed"] article:has-text("event-${reported - 1}-")`);
	});
}

async function measureHeap({ many, floor }: Pages): Promise<BenchRow[]> {
	const seen = {
		floor: 'a list in plain DOM with as many rows',
		floorValue: await floor.meter.heap(),
		value: await many.meter.heap(),
		unit: 'MB',
	};
	return [toRow('feed of 100 000 events, heap', seen, { most: 60 })];
}

const scrolled = z.object({ blank: z.number(), most: z.number(), moved: z.number() });

/** Upwards, frame by frame; counts frames without a row in the middle of the list. */
const SCROLL = `
	const box = document.querySelector('[role=feed]');
	const { left, top, width, height } = box.getBoundingClientRect();
	const next = () => new Promise((frame) => requestAnimationFrame(frame));
	let blank = 0, most = 0, moved = 0;
	for (let frame = 0; frame < ${SCROLL_FRAMES}; frame++) {
		const before = box.scrollTop;
		box.scrollTop -= 120;
		moved += box.scrollTop !== before;
		await next();
		await new Promise((painted) => setTimeout(painted));
		if (!document.elementFromPoint(left + width / 2, top + height / 2)?.closest('article')) blank++;
		most = Math.max(most, box.querySelectorAll('article').length);
	}
	return { blank, most, moved };
`;

async function measureScroll({ many, floor }: Pages): Promise<BenchRow[]> {
	const bare = await scroll(floor);
	const page = await scroll(many);
	const name = 'a list in plain DOM with as many rows';
	const toScroll = (bar: string, floorValue: number, value: number, unit: string, most: number) =>
		toRow(`scrolling the feed of 100 000 events, ${bar}`, { floor: name, floorValue, value, unit }, { most });
	return [
		toScroll('CPU per frame', bare.cpu, page.cpu, 'ms', 5),
		toScroll('rows in the document', bare.most, page.most, 'rows', 60),
		{ ...toScroll('frames without rows', bare.blank, page.blank, 'frames', 0), ratio: page.blank / SCROLL_FRAMES },
	];
}

async function scroll({ page, meter }: Opened): Promise<z.infer<typeof scrolled> & { cpu: number }> {
	await page.bringToFront();
	let seen = { blank: Number.NaN, most: Number.NaN, moved: Number.NaN };
	const cpu = await meter.perFrame(async () => {
		seen = scrolled.parse(await runInPage(page, SCROLL));
	});
	if (seen.moved < SCROLL_FRAMES * 0.9)
		throw new Error(`The list was scrolled in only ${seen.moved} of ${SCROLL_FRAMES} frames.`);
	return { ...seen, cpu };
}
