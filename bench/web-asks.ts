// Requests in the browser: from the report of the agent until it is painted, and from a tap until the answer is on disk.
import { setTimeout as delay } from 'node:timers/promises';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import type { BenchRow } from './bench-row.ts';
import { quantile } from './timing.ts';
import type { FloorServer } from './web-floor.ts';
import { MARK_PAINTS } from './web-marks.ts';
import { type Agent, numberIn, type Page, type WebRig } from './web-rig.ts';
import { toRow } from './web-row.ts';

const ROUNDS = 15;
const AGAIN_MS = 1_000;

export async function measureAsks(rig: WebRig, floor: FloorServer): Promise<BenchRow[]> {
	const { context } = await rig.logIn(MARK_PAINTS);
	const agent = rig.agents.few;
	const inbox = await context.newPage();
	await inbox.goto(`${rig.runner.url}/`);
	await inbox.waitForSelector('[role="status"][data-state="live"]');
	const bare = await context.newPage();
	await bare.goto(floor.listUrl(0));
	await bare.waitForSelector('html[data-live]');
	const seen = { paint: [] as number[], bare: [] as number[], tap: [] as number[], post: [] as number[] };
	for (let round = 0; round < ROUNDS; round++) {
		seen.bare.push(await paintedAfter(bare, `text ${round}`, floor.push));
		const tapped = await answerByTap(inbox, agent, `npm test -- tap-${round}`);
		seen.paint.push(tapped.paint);
		seen.tap.push(tapped.tap);
		seen.post.push(await answerByPost(rig, agent, `npm test -- post-${round}`));
	}
	await context.close();
	const painted = {
		floor: 'text from a bare WebSocket, painted',
		floorValue: quantile(seen.bare, 0.5),
		value: quantile(seen.paint, 0.5),
	};
	const stored = { floor: 'the same answer sent by Node', floorValue: quantile(seen.post, 0.5), value: quantile(seen.tap, 0.5) };
	return [
		toRow('request → painted in the browser, p50', { ...painted, unit: 'ms' }, { most: 50 }),
		toRow('tap → answer on disk and with the agent, p50', { ...stored, unit: 'ms' }, { most: 50 }),
	];
}

async function paintedAfter(page: Page, name: string, send: (name: string) => unknown): Promise<number> {
	await page.bringToFront();
	const from = now();
	send(name);
	return (await paintOf(page, name)) - from;
}

/** The time of day at which this was painted. */
async function paintOf(page: Page, name: string): Promise<number> {
	const read = async () => {
		const at = await numberIn(page, `return painted.get(${JSON.stringify(name)}) ?? Infinity`);
		return Number.isFinite(at) && at > 0 ? at : undefined;
	};
	return await waitFor(read, { what: `${name} to be painted`, everyMs: 5 });
}

/** The agent gets its answer when it is on disk. */
async function answerByTap(inbox: Page, agent: Agent, command: string): Promise<{ paint: number; tap: number }> {
	await inbox.bringToFront();
	const from = now();
	const answered = agent.ask(command).then(now);
	const painted = await paintOf(inbox, command);
	const allow = inbox.locator(`[data-ask]:has-text("${command}") button:not([disabled]):text("Allow once")`);
	// A card that has just moved takes no answer, so the tap is repeated.
	const tapped = async () => {
		if (await allow.count()) await allow.click({ timeout: AGAIN_MS }).catch(() => undefined);
		return await Promise.race([answered, delay(AGAIN_MS, undefined)]);
	};
	const at = await waitFor(tapped, { what: 'the answer' });
	return { paint: painted - from, tap: at - (await numberIn(inbox, 'return pressed')) };
}

async function answerByPost({ runner }: WebRig, agent: Agent, command: string): Promise<number> {
	const answered = agent.ask(command).then(now);
	const open = async () => unwrap(await runner.api.asks.list({})).find(({ input }) => input.command === command);
	const { id, sessionId, nonce } = await waitFor(open, { what: 'the request' });
	const from = now();
	unwrap(await runner.api.asks.approve({ id: sessionId, askId: id, nonce, decision: 'allow' }));
	return (await answered) - from;
}

/** As in the page. */
function now(): number {
	return performance.timeOrigin + performance.now();
}
