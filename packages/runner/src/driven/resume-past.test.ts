import { AppError } from '@roost/protocol/app-error';
import { projectId, type SessionId } from '@roost/protocol/ids';
import { err, ok } from '@roost/protocol/result';
import { createMemoryStore } from '@roost/store/memory-store';
import type { Store } from '@roost/store/store';
import { type DrivenRig, type DrivenRigOptions, openDrivenRig } from '@roost/testkit/rigs/runner/driven-rig';
import { createEngineRig } from '@roost/testkit/rigs/runner/engine-rig';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';

const NATIVE = '5f0c8f7e-0000-4000-8000-000000000001';

/** On a machine with that past conversation in this repository. */
function openRig(over: DrivenRigOptions = {}): Promise<DrivenRig> {
	return openDrivenRig({
		findPast: async (nativeId) => ok({ agent: 'mock', nativeId, cwd: process.cwd(), title: 'Mend the roof' }),
		...over,
	});
}

const resume = ({ driven, project }: DrivenRig, over: object = {}) =>
	driven.create({ projectId: project, agent: 'mock', resume: { nativeId: NATIVE }, ...over });

describe('past session unknown to Roost', () => {
	it('resumes in its folder as a driven session', async () => {
		await using rig = await openRig();
		const { sessionId: id } = unwrap(await resume(rig, { prompt: 'read it' }));
		await rig.play();
		expect(rig.requests).toMatchObject([{ cwd: process.cwd(), session: id, resume: { nativeId: NATIVE, fork: false } }]);
		expect(rig.prompts(id)).toEqual(['read it']);
		const [row] = unwrap(rig.store.sessions({ id }));
		expect(row).toMatchObject({
			driven: true,
			title: 'Mend the roof',
			nativeIds: [{ id: NATIVE, reason: 'resume' }],
			drive: { cwd: process.cwd() },
		});
	});

	it('becomes one session, even if resumed twice at once or after its agent has exited', async () => {
		await using rig = await openRig();
		const both = await Promise.all([resume(rig), resume(rig)]);
		const [first, second] = both.map((created) => unwrap(created).sessionId);
		expect(second).toBe(first);
		expect(rig.agents).toHaveLength(1);
		if (first) unwrap(await rig.driven.end(first));
		expect(unwrap(await resume(rig, { prompt: 'read it' })).sessionId).toBe(first);
		await rig.play();
		expect(rig.agents).toHaveLength(2);
		expect(first && rig.prompts(first)).toEqual(['read it']);
		expect(unwrap(rig.store.sessions())).toHaveLength(1);
	});

	it('is not resumed while it is open in a terminal', async () => {
		await using rig = await openRig({ reports: (nativeId) => nativeId === NATIVE });
		expect(await resume(rig)).toMatchObject({
			error: { code: 'conflict', message: expect.stringContaining('open in a terminal') },
		});
		expect(rig.agents).toEqual([]);
	});

	it.each([
		[{ cwd: '/elsewhere' }, 'leave out cwd'],
		[{ agent: 'claude' }, 'This is a past session of mock.'],
		[{ projectId: projectId.parse('/') }, 'belongs to another project'],
	])('cannot be resumed with different settings: %j', async (over, sentence) => {
		await using rig = await openRig();
		expect(await resume(rig, over)).toMatchObject({ error: { code: 'bad_request', message: expect.stringContaining(sentence) } });
		expect(rig.agents).toEqual([]);
	});

	it('is not resumed if its transcript is missing', async () => {
		await using rig = await openRig({ findPast: async () => err(new AppError('not_found', 'Its folder is gone.')) });
		expect(await resume(rig)).toMatchObject({ error: { code: 'not_found', message: 'Its folder is gone.' } });
		expect(unwrap(rig.store.sessions())).toEqual([]);
	});
});

describe('past session that Roost observed', () => {
	it('is resumed as a driven session linked to it, and is one session from then on', async () => {
		const { store, observed } = await observe();
		await using rig = await openRig({ store });
		const { sessionId: id } = unwrap(await resume(rig, { prompt: 'read it' }));
		await rig.play();
		expect(id).not.toBe(observed);
		expect(rig.requests).toMatchObject([{ session: id, resume: { nativeId: NATIVE, fork: false } }]);
		expect(unwrap(store.sessions({ id }))).toMatchObject([
			{ driven: true, parentId: observed, title: 'find the leak', nativeIds: [{ id: NATIVE }] },
		]);
		expect(unwrap(store.sessions({ id: observed }))[0]?.driven).toBeUndefined();
		expect(unwrap(await resume(rig)).sessionId).toBe(id);
		expect(unwrap(await rig.driven.resume(observed)).sessionId).toBe(id);
		expect(rig.agents).toHaveLength(1);
		expect(rig.engine.holders.sessionOf(NATIVE)).toBe(id);
	});

	it('can also be resumed by its session id', async () => {
		const { store, observed } = await observe();
		await using rig = await openRig({ store });
		const { sessionId: id } = unwrap(await rig.driven.resume(observed));
		expect(unwrap(store.sessions({ id }))).toMatchObject([{ driven: true, parentId: observed }]);
	});

	it('is not resumed while its agent is still running', async () => {
		const { store, observed } = await observe();
		await using rig = await openRig({ store, reports: (nativeId) => nativeId === NATIVE });
		for (const refused of [await resume(rig), await rig.driven.resume(observed)]) {
			expect(refused).toMatchObject({ error: { code: 'conflict', message: expect.stringContaining('open in a terminal') } });
		}
		expect(rig.agents).toEqual([]);
	});
});

/** A finished conversation in a terminal, in this repository. */
async function observe(): Promise<{ store: Store; observed: SessionId }> {
	const store = createMemoryStore();
	const project = { id: projectId.parse(process.cwd()), path: process.cwd() };
	await using rig = createEngineRig({ store, project });
	rig.runtime.emit({ hookName: 'SessionStart', sessionId: NATIVE, payload: { source: 'startup' } });
	rig.runtime.emit({ hookName: 'UserPromptSubmit', sessionId: NATIVE, payload: { prompt: 'find the leak' } });
	rig.runtime.emit({ hookName: 'SessionEnd', sessionId: NATIVE, payload: { reason: 'other' } });
	await rig.engine.settled();
	return { store, observed: rig.sessionId };
}
