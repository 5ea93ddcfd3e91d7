import { join } from 'node:path';
import { toReviewPrompt } from '@roost/core/display/review';
import type { CommentBody, DiffLine } from '@roost/protocol/api/changes';
import type { Review } from '@roost/protocol/feed/review';
import { promptId } from '@roost/protocol/ids';
import { ok } from '@roost/protocol/result';
import { createMemoryStore } from '@roost/store/memory-store';
import { openDrivenRig } from '@roost/testkit/rigs/runner/driven-rig';
import { type ChangedWorld, createChangedWorld, SESSION } from '@roost/testkit/rigs/shell/changed-world';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { createSendReview } from './review.ts';

describe('a review', () => {
	it('is one prompt with every comment, its place and the lines', async () => {
		await using world = await createReviewedWorld();
		const comments = [
			await world.comment('a.txt', 'new', 2, 'Which two?'),
			await world.comment('a.txt', 'old', 2, 'Keep it.'),
			{ ...(await world.comment('b.txt', 'new', 1, 'Both lines.')), ...(await world.range('b.txt', 1, 2)) },
		];
		unwrap(await world.review({ since: 'start', comments, summary: 'Almost.' }));
		const [sent] = world.sent;
		expect(world.sent).toHaveLength(1);
		expect(sent?.review).toEqual({
			since: 'start',
			summary: 'Almost.',
			comments: [
				{ path: 'a.txt', side: 'new', line: 2, quote: 'TWO', text: 'Which two?' },
				{ path: 'a.txt', side: 'old', line: 2, quote: 'two', text: 'Keep it.' },
				{ path: 'b.txt', side: 'new', line: 1, end_line: 2, quote: 'new\nfile', text: 'Both lines.' },
			],
		});
		expect(sent?.text).toBe(toReviewPrompt(sent?.review ?? expect.fail()));
	});

	it('sends nothing and names the lines that have changed', async () => {
		await using world = await createReviewedWorld();
		const comments = [
			await world.comment('a.txt', 'new', 1, 'Still there.'),
			await world.comment('a.txt', 'new', 2, 'Which two?'),
			await world.comment('b.txt', 'new', 1, 'Gone soon.'),
		];
		await world.put({ 'a.txt': 'one\nother\n' });
		world.git('clean', '--quiet', '--force', 'b.txt');
		expect(unwrapError(await world.review({ since: 'start', comments }))).toMatchObject({
			code: 'conflict',
			message: 'These lines have changed since you commented, so nothing was sent: a.txt:2, b.txt:1.',
		});
		expect(world.sent).toEqual([]);
	});

	it('rejects lines that do not exist, and sessions that take no prompts', async () => {
		await using world = await createReviewedWorld();
		const comment = await world.comment('a.txt', 'new', 2, 'Which two?');
		for (const wrong of [{ line: 99 }, { path: '../a.txt' }, { lineHash: '0'.repeat(16) }])
			expect(unwrapError(await world.review({ since: 'start', comments: [{ ...comment, ...wrong }] })).code).toBe('conflict');
		world.observed = 'This session is only observed.';
		expect(unwrapError(await world.review({ since: 'start', comments: [comment] }))).toMatchObject({
			code: 'conflict',
			message: 'This session is only observed.',
		});
		expect(world.sent).toEqual([]);
	});
});

describe('a queued review', () => {
	const REVIEW: Review = { since: 'head', comments: [{ path: 'a', side: 'new', line: 1, quote: 'x', text: 'y' }] };

	it('keeps its comments until the agent has it, also after a restart', async () => {
		const store = createMemoryStore();
		const first = await openDrivenRig({ store });
		const id = await first.create('explain it');
		unwrap(await first.driven.message(id, 'the review', REVIEW));
		expect(first.queue.list(id)).toMatchObject([{ text: 'the review', review: REVIEW }]);
		await first[Symbol.asyncDispose]();
		await using rig = await openDrivenRig({ store });
		unwrap(await rig.driven.resume(id));
		await rig.play(60_000);
		const prompts = rig.stored(id).flatMap((event) => (event.kind === 'user.prompt' ? [event.data] : []));
		expect(prompts.find(({ prompt }) => prompt === 'the review')).toMatchObject({ review: REVIEW });
		expect(prompts.filter(({ review }) => review)).toHaveLength(1);
	});

	it('is a plain prompt once it was edited', async () => {
		await using rig = await openDrivenRig();
		const id = await rig.create('explain it');
		const { promptId: queued } = unwrap(await rig.driven.message(id, 'the review', REVIEW));
		unwrap(await rig.queue.edit(id, queued, 'other words'));
		expect(rig.queue.list(id)).toEqual([{ id: queued, text: 'other words', queuedAt: expect.any(Number) }]);
	});
});

type ReviewedWorld = ChangedWorld & {
	readonly sent: { text: string; review: Review }[];
	readonly review: (body: Parameters<ReturnType<typeof createSendReview>>[1]) => ReturnType<ReturnType<typeof createSendReview>>;
	observed: string | undefined;
	comment(path: string, side: 'old' | 'new', line: number, text: string): Promise<CommentBody>;
	range(path: string, line: number, endLine: number): Promise<Pick<CommentBody, 'line' | 'endLine' | 'lineHash'>>;
};

/** `a.txt` has a changed second line, `b.txt` is new. */
async function createReviewedWorld(): Promise<ReviewedWorld> {
	const world = await createChangedWorld();
	await world.put({ 'a.txt': 'one\ntwo\n' });
	await world.commit();
	await world.mark('start');
	await world.put({ 'a.txt': 'one\nTWO\n', 'b.txt': 'new\nfile\n' });
	const sent: { text: string; review: Review }[] = [];
	const review = createSendReview({
		changes: world.changes,
		whyNot: () => ok(reviewed.observed),
		async send(_, text, review) {
			sent.push({ text, review });
			return ok({ promptId: promptId.parse('p1'), queued: null });
		},
	});

	async function hashOf(path: string, side: 'old' | 'new', line: number): Promise<string> {
		const listed = unwrap(await world.changes.list(SESSION, 'start'));
		if (!listed.isKnown) throw new Error(listed.why);
		const { rows } = unwrap(await world.changes.file(SESSION, { changes: listed.id, path, from: 0, limit: 100 }));
		const found = rows.find((row): row is DiffLine => row.type !== 'hunk' && row[side] === line);
		return found?.hash ?? expect.fail(`${join(path)}:${line}`);
	}

	const reviewed: ReviewedWorld = {
		...world,
		sent,
		observed: undefined,
		review: (body) => review(SESSION, body),
		comment: async (path, side, line, text) => ({ path, side, line, text, lineHash: await hashOf(path, side, line) }),
		async range(path, line, endLine) {
			const hashes = [];
			for (let at = line; at <= endLine; at += 1) hashes.push(await hashOf(path, 'new', at));
			return { line, endLine, lineHash: hashes.join('-') };
		},
	};
	return reviewed;
}
