// A past session read page by page: equal to one read, redacted, and with bounded memory.
import { createHash } from 'node:crypto';
import { appendFile, stat, truncate } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createRedactor } from '@roost/core/redaction/redact';
import { feedEvent } from '@roost/protocol/feed/event';
import { createPastClaude, pastAnswer, pastCall, pastPrompt, pastResult } from '@roost/testkit/rigs/agents/past-claude';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { summariseTranscript } from '../engine/summaries.ts';
import { createPastEvents } from './past-sessions.ts';

const MOST_BYTES = 64 * 1024 * 1024;
const SECRET = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';

describe('events of a past session', () => {
	it('are the same page by page as at once, also with other readers', async () => {
		await using world = await createWorld();
		const id = await world.add(turns(20));
		const whole = await world.read(id, { after: 0, limit: 1_000 });
		expect(whole.more).toBe(false);
		expect(whole.events.map(({ offset }) => offset)).toEqual(whole.events.map((_, at) => at + 1));
		for (const { event } of whole.events) expect(feedEvent.safeParse(event).error).toBeUndefined();

		const paged = [];
		for (let after = 0, more = true; more; after += 7) {
			const page = await world.read(id, { after, limit: 7 });
			paged.push(...page.events);
			more = page.more;
			expect((await world.read(id, { after: 3, limit: 2 })).events).toEqual(whole.events.slice(3, 5));
		}
		expect(paged).toEqual(whole.events);
	});

	it('are empty after the end', async () => {
		await using world = await createWorld();
		const id = await world.add(turns(1));
		expect(await world.read(id, { after: 1_000, limit: 10 })).toEqual({ events: [], more: false });
	});

	it('are read again once the transcript has grown', async () => {
		await using world = await createWorld();
		const id = await world.add(turns(2));
		const before = await world.read(id, { after: 0, limit: 3 });
		await appendFile(world.past.pathOf(id), `${JSON.stringify(pastPrompt('one more'))}\n`);
		expect(await world.read(id, { after: 0, limit: 3 })).toEqual(before);
		const after = await world.read(id, { after: 3, limit: 1_000 });
		expect(JSON.stringify(after)).toContain('one more');
	});

	it('contain no secret from any field', async () => {
		await using world = await createWorld();
		const id = await world.add([
			pastPrompt(`use ${SECRET}`),
			pastCall('Bash', { command: `curl -H "Authorization: Bearer ${SECRET}"` }, { id: 't1' }),
			pastResult('t1', SECRET, { own: { stdout: SECRET } }),
			pastAnswer(`I used ${SECRET}.`),
		]);
		const text = JSON.stringify(await world.read(id, { after: 0, limit: 1_000 }));
		expect(text).not.toContain(SECRET);
		expect(text).toContain('[redacted:');
	});

	it('end with the usage', async () => {
		await using world = await createWorld();
		const id = await world.add(turns(3));
		const { events } = await world.read(id, { after: 0, limit: 1_000 });
		expect(events.slice(-2)).toMatchObject([
			{ event: { kind: 'session.summary', data: { messages: 9 } } },
			{ event: { kind: 'usage.update', data: { total: { input_tokens: 60 } } } },
		]);
	});

	it('report a missing transcript', async () => {
		await using world = await createWorld();
		const file = { path: world.past.pathOf('gone'), nativeId: 'gone', size: 0, mtimeMs: 0, cwd: '/x', agent: 'claude' };
		expect(unwrapError(await world.events.read(file, { after: 0, limit: 1 }))).toMatchObject({ code: 'not_found' });
	});

	it('need little memory for a long transcript, even if it is a single line', { timeout: 120_000 }, async () => {
		await using world = await createWorld();
		const id = await world.add([pastPrompt('go')]);
		const path = world.past.pathOf(id);
		// A sparse file, which takes no disk space.
		await truncate(path, (process.env.ROOST_SOAK ? 1024 : 160) * 1024 * 1024);
		await appendFile(path, `\n${JSON.stringify(pastAnswer('The end.'))}\n`);
		const collectGarbage = exposeGc();
		let held = 0;
		const watch = setInterval(() => {
			if (process.memoryUsage().arrayBuffers <= MOST_BYTES) return;
			// Unreferenced buffers do not count: when they are collected depends on the machine.
			collectGarbage();
			// Buffers are freed asynchronously; the next collection waits for that.
			collectGarbage();
			held = process.memoryUsage().arrayBuffers;
			if (held > MOST_BYTES) clearInterval(watch);
		}, 1);
		try {
			expect(JSON.stringify(await world.read(id, { after: 0, limit: 100 }))).toContain('The end.');
		} finally {
			clearInterval(watch);
		}
		expect(held).toBeLessThanOrEqual(MOST_BYTES);
	});
});

function exposeGc(): () => void {
	setFlagsFromString('--expose-gc');
	return runInNewContext('gc');
}

function turns(count: number): object[] {
	return Array.from({ length: count }, (_, at) => [
		pastPrompt(`prompt ${at}`),
		pastCall('Bash', { command: `echo ${at}` }, { id: `t${at}` }),
		pastResult(`t${at}`, `${at}`),
		pastAnswer(`answer ${at}`),
	]).flat();
}

async function createWorld() {
	const temp = await createTempDir();
	const past = await createPastClaude(temp.path);
	const redactor = createRedactor((text) => createHash('sha256').update(text).digest('hex'));
	const events = createPastEvents({ redactor, summarise: summariseTranscript });
	return {
		past,
		events,
		add: (lines: readonly object[]) => past.add({ cwd: '/x', lines }),
		async read(id: string, page: { after: number; limit: number }) {
			const path = past.pathOf(id);
			const { size, mtimeMs } = await stat(path);
			return unwrap(await events.read({ path, nativeId: id, size, mtimeMs, cwd: '/x', agent: 'claude' }, page));
		},
		async [Symbol.asyncDispose]() {
			await events[Symbol.asyncDispose]();
			await temp[Symbol.asyncDispose]();
		},
	};
}
