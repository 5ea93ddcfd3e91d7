import type { SessionId } from '@roost/protocol/ids';
import { type RunnerRig, startRunner } from '@roost/testkit/rigs/runner/runner-rig';
import { KEYS, openTui, type TuiRig } from '@roost/testkit/rigs/tui/tui-rig';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

async function open({ folder, env }: RunnerRig): Promise<TuiRig> {
	const tui = openTui({ cwd: folder, env });
	await tui.waitForScreen(/Session started/);
	return tui;
}

async function send(tui: TuiRig, text: string): Promise<void> {
	tui.type('i');
	await tui.waitForScreen(/── Prompt/);
	tui.type(text);
	// The UI may not know yet whether the session takes prompts.
	const isSent = () => {
		if (!tui.terminal.text().includes('── Prompt')) return true;
		tui.type(KEYS.enter);
		return undefined;
	};
	await waitFor(isSent, { what: 'the prompt to be sent', everyMs: 500, seen: tui.terminal.text });
}

/** How its runs ended, once there are `count` of them. */
async function runEnds({ api }: RunnerRig, id: SessionId, count: number): Promise<string[]> {
	const ends = async () => {
		const lines = unwrap(await api.feed.events({ id }));
		const statuses = lines.flatMap(({ event }) => (event.kind === 'run.end' ? [event.data.status] : []));
		return statuses.length >= count ? statuses : undefined;
	};
	return await waitFor(ends, { what: `${count} runs to end` });
}

async function prompts({ api }: RunnerRig, id: SessionId): Promise<string[]> {
	const lines = unwrap(await api.feed.events({ id }));
	return lines.flatMap(({ event }) => (event.kind === 'user.prompt' ? [event.data.prompt] : []));
}

describe('agent driven from the terminal', () => {
	it('streams its response and is interrupted by pressing Esc twice', async () => {
		await using roost = await startRunner();
		const id = await roost.startSession();
		await using tui = await open(roost);
		await send(tui, `explain it,${KEYS.altEnter}please`);
		await tui.waitForScreen(/sentence\s+6\s+of/);
		tui.type(KEYS.escape);
		await tui.waitForScreen(/Press Esc again to interrupt the agent/);
		tui.type(KEYS.escape);
		expect(await runEnds(roost, id, 1)).toEqual(['aborted']);
		expect(await prompts(roost, id)).toEqual(['explain it,\nplease']);
		await tui.waitForScreen((screen) => !/long\s+answer/.test(screen));
	});

	it('requests permission and continues once it is allowed', async () => {
		await using roost = await startRunner();
		const id = await roost.startSession();
		await using tui = await open(roost);
		await send(tui, 'run the tests');
		await tui.waitForScreen(/── Permission/);
		const allowed = () => {
			tui.type('y');
			return tui.terminal.text().includes('All twelve tests pass.') || undefined;
		};
		await waitFor(allowed, { what: 'the tests to be allowed', everyMs: 300 });
		expect(await runEnds(roost, id, 1)).toEqual(['completed']);
	});

	it('receives queued prompts after its turn, with edits applied and cancelled ones left out', async () => {
		await using roost = await startRunner();
		const id = await roost.startSession('explain it');
		await using tui = await open(roost);
		await send(tui, 'read it');
		await send(tui, 'never');
		tui.type('i');
		await tui.waitForScreen(/2 queued prompts/);
		tui.type(`${KEYS.tab}${KEYS.down}x`);
		await tui.waitForScreen(/1 queued prompt/);
		tui.type(`${KEYS.enter} twice${KEYS.enter}`);
		await tui.waitForScreen(/read it twice/);
		unwrap(await roost.api.sessions.interrupt({ commandId: 'c1', id }));
		expect(await runEnds(roost, id, 2)).toEqual(['aborted', 'completed']);
		expect(await prompts(roost, id)).toEqual(['explain it', 'read it twice']);
	});

	it('can be forked, and resumed after it has ended', async () => {
		await using roost = await startRunner();
		const id = await roost.startSession('read it');
		await runEnds(roost, id, 1);
		await using tui = await open(roost);
		tui.type(`:fork${KEYS.enter}`);
		await tui.waitForScreen(/Session forked/);
		unwrap(await roost.api.sessions.end({ commandId: 'c1', id }));
		tui.type(`:open ${id}${KEYS.enter}`);
		await tui.waitForScreen(/Session ended/);
		tui.type(`:resume${KEYS.enter}`);
		await tui.waitForScreen(/Session resumed/);
	});

	it('cannot open the terminal UI itself, and the attempt is recorded', async () => {
		await using roost = await startRunner();
		const id = await roost.startSession();
		await using tui = openTui({ cwd: roost.folder, env: { ...roost.env, ROOST_SESSION: id } });
		expect((await tui.waitForExit()).code).toBe(1);
		expect(tui.bytes()).toContain('this terminal belongs to an agent that Roost governs');
		const attempt = async () => {
			const lines = unwrap(await roost.api.feed.events({ id }));
			return lines.find(({ event }) => event.kind === 'runtime.error')?.event;
		};
		const event = await waitFor(attempt, { what: 'the attempt on record' });
		expect(event.data).toMatchObject({ message: 'The agent tried to decide for its user with "roost" and was refused.' });
	});
});
