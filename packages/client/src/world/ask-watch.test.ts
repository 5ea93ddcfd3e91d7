import { setImmediate as immediate } from 'node:timers/promises';
import type { ApprovedAsk } from '@roost/protocol/api/answers';
import type { AskDetail } from '@roost/protocol/api/asks';
import { AppError } from '@roost/protocol/app-error';
import type { AskRow } from '@roost/protocol/ask';
import { type AskId, askId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import { sampleAsk } from '@roost/testkit/rigs/record/sample-append';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import type { Reply } from '../api-call.ts';
import { type AskFacts, NO_ASKS, watchAsks } from './ask-watch.ts';
import type { Notice } from './notice.ts';

const FIRST = sampleAsk('a.1', { openedAt: 1 });
const SECOND = sampleAsk('a.2', { openedAt: 2 });

describe('pending asks', () => {
	it('are listed oldest first, and their decisions are kept', () => {
		const watch = openWatch();
		watch.receive(SECOND);
		watch.receive(FIRST);
		expect(watch.facts().asks).toEqual([FIRST, SECOND]);
		watch.receive({ ...FIRST, state: 'denied', decidedBy: 'bob@web' });
		expect(watch.facts().asks).toEqual([SECOND]);
		expect(watch.facts().decided.get(FIRST.id)).toMatchObject({ state: 'denied', decidedBy: 'bob@web' });
	});

	it('do not become pending again through late updates', () => {
		const watch = openWatch();
		watch.receive({ ...FIRST, state: 'denied' });
		watch.receive(FIRST);
		expect(watch.facts().asks).toEqual([]);
	});

	it('are corrected after a lost connection: ended, new and unknown asks', async () => {
		const watch = openWatch();
		const gone = sampleAsk('a.0');
		for (const ask of [gone, FIRST]) watch.receive(ask);
		watch.list = [{ ...FIRST, state: 'expired' }, SECOND, sampleAsk('a.9', { state: 'denied' })];
		await watch.asks.catchUp();
		expect(watch.facts().asks).toEqual([SECOND]);
		expect([...watch.facts().decided.keys()]).toEqual([FIRST.id]);
	});

	it('are read again after a failed read, which is reported once', async () => {
		const watch = openWatch();
		watch.failures = 3;
		watch.list = [FIRST];
		expect(await watch.asks.catchUp()).toBe(true);
		expect(watch.facts().asks).toEqual([FIRST]);
		expect(watch.noticed).toEqual([{ type: 'failed', message: 'Bad gateway' }]);
	});

	it('are not read again once the connection is lost, or a later read took over', async () => {
		const watch = openWatch();
		watch.failures = Number.POSITIVE_INFINITY;
		const earlier = watch.asks.catchUp();
		const later = watch.asks.catchUp();
		expect(await earlier).toBe(false);
		watch.isLive = false;
		expect(await later).toBe(false);
	});

	it('keep updates that arrive during the correction', async () => {
		const watch = openWatch();
		const done = watch.asks.catchUp();
		watch.receive(FIRST);
		await done;
		expect(watch.facts().asks).toEqual([FIRST]);
	});

	it('include the file they would change, which is read once', async () => {
		const watch = openWatch();
		const write = sampleAsk('a.3', { tool: 'Write', input: { file_path: '/p/a.txt', content: 'new' } });
		let reads = 0;
		watch.show = () => {
			reads += 1;
			return ok({ ...write, file: { state: 'text', text: 'old' } });
		};
		watch.receive(write);
		watch.receive({ ...write, expiresAt: write.expiresAt + 1 });
		watch.receive(FIRST);
		await waitFor(() => watch.facts().asks.find(({ file }) => file), { what: 'the file' });
		watch.receive({ ...write, expiresAt: write.expiresAt + 2 });
		const shown = watch.facts().asks.find(({ id }) => id === write.id);
		expect(shown).toMatchObject({ expiresAt: write.expiresAt + 2, file: { state: 'text', text: 'old' } });
		expect(reads).toBe(1);
	});

	it('are remembered after their decision only if recent', () => {
		const watch = openWatch();
		for (let number = 0; number < 500; number += 1) watch.receive(sampleAsk(`b.${number}`, { state: 'denied' }));
		expect(watch.facts().decided.size).toBe(200);
		expect(watch.facts().decided.has(askId.parse('b.499'))).toBe(true);
	});
});

describe('own answer', () => {
	it('is marked at once, and stays marked when it was accepted', async () => {
		const watch = openWatch();
		watch.receive(FIRST);
		const sent = watch.asks.approve(FIRST, { decision: 'allow' });
		expect(watch.facts().answered).toEqual(new Set([FIRST.id]));
		await sent;
		expect(watch.sent).toEqual([{ id: FIRST.sessionId, decision: 'allow', askId: FIRST.id, nonce: FIRST.nonce }]);
		expect(watch.facts().answered).toEqual(new Set([FIRST.id]));
		expect(watch.noticed).toEqual([]);
	});

	it('reports the winning answer if it was too late', async () => {
		const watch = openWatch();
		watch.reply = { ok: false, error: new AppError('conflict', 'late'), winner: { state: 'denied', principal: 'bob@web' } };
		await watch.asks.answer(FIRST, { Why: 'so' });
		expect(watch.noticed).toEqual([
			{ type: 'answered-before', by: expect.objectContaining({ principal: 'bob@web', state: 'denied' }) },
		]);
	});

	it('stays marked while it is queued for a runner that is away, until it is reopened', async () => {
		const watch = openWatch();
		watch.receive(FIRST);
		const queued = { queued: true, commandId: 'c1', expiresAt: 9 } as const;
		watch.reply = { ok: false, error: new AppError('timed_out', 'queued'), queued };
		await watch.asks.approve(FIRST, { decision: 'deny' });
		expect(watch.noticed).toEqual([{ type: 'command-queued', commandId: 'c1', until: 9, ask: FIRST.id }]);
		expect(watch.facts().answered).toEqual(new Set([FIRST.id]));
		watch.asks.reopen(FIRST.id);
		expect(watch.facts().answered).toEqual(new Set());
	});

	it('can be repeated if it was not accepted', async () => {
		const watch = openWatch();
		watch.reply = { ok: false, error: new AppError('bad_request', 'This pattern is empty.') };
		await watch.asks.approve(FIRST, { decision: 'allow' });
		expect(watch.noticed).toEqual([{ type: 'failed', message: 'This pattern is empty.' }]);
		expect(watch.facts().answered).toEqual(new Set());
	});
});

function openWatch() {
	const noticed: Notice[] = [];
	const sent: unknown[] = [];
	type Rig = {
		list: AskRow[];
		/** Reads that fail before one succeeds. */
		failures: number;
		isLive: boolean;
		reply: Reply<ApprovedAsk>;
		show: (id: AskId) => Result<AskDetail>;
	};
	const rig: Rig = {
		list: [],
		failures: 0,
		isLive: true,
		reply: { ok: true, value: FIRST },
		show: () => err(new AppError('not_found', 'Request not found.')),
	};
	let facts: AskFacts = NO_ASKS;
	let receive: (ask: AskRow) => void = () => {};
	const take = async (body: unknown): Promise<Reply<ApprovedAsk>> => {
		sent.push(body);
		return rig.reply;
	};
	const asks = watchAsks({
		api: {
			asks: {
				list: async () => (rig.failures-- > 0 ? err(new AppError('internal', 'Bad gateway')) : ok(rig.list)),
				show: async ({ askId }) => rig.show(askId),
				approve: notUsed,
				answer: notUsed,
			},
		},
		stream: {
			onAsk(handler) {
				receive = handler;
				return () => {};
			},
			approve: take,
			answer: take,
		},
		isLive: () => rig.isLive,
		pause: () => immediate(),
		notify: (notice) => noticed.push(notice),
		onChange(part) {
			facts = { ...facts, ...part };
		},
	});
	return Object.assign(rig, { asks, noticed, sent, facts: () => facts, receive: (ask: AskRow) => receive(ask) });
}

function notUsed(): never {
	throw new Error('answers go over the stream');
}
