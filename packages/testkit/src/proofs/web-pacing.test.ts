// When the page changes: once per frame at most while events flow, and never while its tab is hidden.
import { ticketIssued } from '@roost/protocol/api/devices';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Tab } from '../rigs/api/browser-tabs.ts';
import { type Chromium, startChromium } from '../rigs/api/chromium.ts';
import { cannotRun, program } from '../rigs/requirements.ts';
import { type PlayedAgent, startRunnerProcess } from '../rigs/runner/runner-rig.ts';
import { waitFor } from '../rigs/wait-for.ts';
import { COUNT_RENDERS } from '../rigs/web/count-renders.ts';

const NATIVE = '5f0c8f7e-0000-4000-8000-000000000003';

const IS_SOAK = process.env.ROOST_SOAK === '1';
const FROZEN_MS = IS_SOAK ? 60_000 : 1_000;
const LIVE = 'document.querySelector("[role=status][data-state=live]") !== null';

/** Counts frames, renders of the feed, changes of the document, and what arrives on sockets. */
const COUNTING = `${COUNT_RENDERS}
	window.counts = { frames: 0, changes: 0, received: '' };
	const tick = () => { counts.frames++; requestAnimationFrame(tick); };
	requestAnimationFrame(tick);
	new MutationObserver(() => counts.changes++).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
	window.WebSocket = class extends WebSocket {
		constructor(...given) {
			super(...given);
			this.addEventListener('message', ({ data }) => { counts.received = String(data); });
		}
	};
`;

const counts = z.object({ frames: z.number(), renders: z.number(), changes: z.number() });

describe.skipIf(cannotRun([program('chromium')]))('rendering of the page', { timeout: 120_000 }, () => {
	let chromium: Chromium;
	beforeAll(async () => {
		chromium = await startChromium({ windows: true });
	});
	afterAll(() => chromium[Symbol.asyncDispose]());

	it('stops while the tab is hidden and events arrive, and is right at once when it is back', async () => {
		await using world = await openWorld(chromium);
		const { tab, agent } = world;
		await work(agent, 20, 'before');
		await world.sees('before 20');
		await using other = await chromium.openTab();
		await other.toFront();
		await isTrue(tab, 'document.visibilityState === "hidden"');
		await world.reset();

		await work(agent, 300, 'hidden');
		await isTrue(tab, 'counts.received.includes("hidden 300")');
		expect(await world.counts()).toMatchObject({ renders: 0, changes: 0 });
		expect(await tab.run('return document.querySelector("[role=feed]").innerText')).not.toContain('hidden');

		await tab.toFront();
		await tab.run('await new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))');
		expect(await tab.run('return document.querySelector("[role=feed]").innerText')).toContain('hidden 300');
	});

	it('is right at once when a tab that was frozen is woken', { timeout: 2 * FROZEN_MS + 120_000 }, async () => {
		await using world = await openWorld(chromium);
		const { tab, agent } = world;
		await work(agent, 20, 'before');
		await world.sees('before 20');
		const start = performance.now();
		await world.reload();
		await world.sees('before 20');
		const loaded = performance.now() - start;
		await using other = await chromium.openTab();
		await other.toFront();
		await isTrue(tab, 'document.visibilityState === "hidden"');
		await tab.setLifecycle('frozen');
		const end = performance.now() + FROZEN_MS;
		await work(agent, 100, 'frozen');
		await waitFor(() => performance.now() >= end || undefined, { deadlineMs: 2 * FROZEN_MS, what: 'the end of the freeze' });
		expect(await tab.run('return counts.received')).not.toContain('frozen 100');

		const woken = performance.now();
		await tab.setLifecycle('active');
		await tab.toFront();
		await world.sees('frozen 100');
		await isTrue(tab, LIVE);
		// In the gate other tests run at the same time.
		if (IS_SOAK) expect(performance.now() - woken).toBeLessThanOrEqual(Math.max(1_000, loaded));
	});

	it('happens at most once per frame while events flow', async () => {
		await using world = await openWorld(chromium);
		await work(world.agent, 20, 'before');
		await world.sees('before 20');
		await world.reset();
		const events = 1_000;
		await work(world.agent, events, 'flood');
		await world.sees(`flood ${events}`);
		const { frames, renders, changes } = await world.counts();
		expect(renders).toBeGreaterThan(0);
		expect(renders).toBeLessThanOrEqual(frames);
		expect(changes).toBeLessThanOrEqual(frames);
	});
});

async function openWorld(chromium: Chromium) {
	await using stack = new AsyncDisposableStack();
	const roost = stack.use(await startRunnerProcess());
	const agent = await roost.openLaunch();
	await agent.report({ hook_event_name: 'SessionStart', session_id: NATIVE, source: 'startup' });
	const { path } = ticketIssued.parse(JSON.parse((await roost.call('POST', '/api/v1/tickets')).body));
	const tab = stack.use(await chromium.openTab(COUNTING));
	await tab.open(`${roost.url}${path}`);
	await isTrue(tab, LIVE);
	const reload = async () => {
		await tab.open(`${roost.url}/s/${agent.sessionId}`);
		await isTrue(tab, 'document.querySelector("[role=feed]") !== null');
	};
	await reload();
	const owned = stack.move();
	return {
		tab,
		agent,
		reload,
		reset: () => tab.run('window.renders = 0; Object.assign(counts, { frames: 0, changes: 0 })'),
		counts: async () => counts.parse(await tab.run('return { ...counts, renders }')),
		sees: (words: string) => isTrue(tab, `document.querySelector("[role=feed]").innerText.includes(${JSON.stringify(words)})`),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

async function isTrue(tab: Tab, expression: string): Promise<void> {
	await waitFor(async () => ((await tab.run(`return ${expression}`)) === true ? true : undefined), {
		what: expression,
		seen: () => tab.run('return document.body.innerText + JSON.stringify(window.counts)'),
	});
}

const AT_ONCE = 20;

/** Reports this many prompts with their number, the last one last. */
async function work(agent: PlayedAgent, events: number, words: string): Promise<void> {
	const report = (at: number) =>
		agent.report({ hook_event_name: 'UserPromptSubmit', session_id: NATIVE, prompt: `${words} ${at}` });
	for (let at = 1; at < events; at += AT_ONCE) {
		await Promise.all(Array.from({ length: Math.min(AT_ONCE, events - at) }, (_, index) => report(at + index)));
	}
	await report(events);
}
