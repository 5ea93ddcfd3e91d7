import { AppError } from '@roost/protocol/app-error';
import { projectId } from '@roost/protocol/ids';
import { err, ok } from '@roost/protocol/result';
import { type DrivenRig, type DrivenRigOptions, openDrivenRig } from '@roost/testkit/rigs/driven-rig';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';

const NATIVE = '5f0c8f7e-0000-4000-8000-000000000001';

/** On a machine where that conversation was had in this repository. */
function openRig(over: DrivenRigOptions = {}): Promise<DrivenRig> {
	return openDrivenRig({
		findPast: async (nativeId) => ok({ agent: 'mock', nativeId, cwd: process.cwd(), title: 'Mend the roof' }),
		...over,
	});
}

const resume = ({ desk, project }: DrivenRig, over: object = {}) =>
	desk.create({ projectId: project, agent: 'mock', resume: { nativeId: NATIVE }, ...over });

describe('a past session that Roost never saw', () => {
	it('goes on where it was, as a session that Roost drives', async () => {
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

	it('is one session, also for two who ask at once and after its agent is gone', async () => {
		await using rig = await openRig();
		const both = await Promise.all([resume(rig), resume(rig)]);
		const [first, second] = both.map((created) => unwrap(created).sessionId);
		expect(second).toBe(first);
		expect(rig.agents).toHaveLength(1);
		if (first) unwrap(await rig.desk.end(first));
		expect(unwrap(await resume(rig, { prompt: 'read it' })).sessionId).toBe(first);
		await rig.play();
		expect(rig.agents).toHaveLength(2);
		expect(first && rig.prompts(first)).toEqual(['read it']);
		expect(unwrap(rig.store.sessions())).toHaveLength(1);
	});

	it('does not go on while somebody has it open in a terminal', async () => {
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
	])('does not go on as something else: %j', async (over, sentence) => {
		await using rig = await openRig();
		expect(await resume(rig, over)).toMatchObject({ error: { code: 'bad_request', message: expect.stringContaining(sentence) } });
		expect(rig.agents).toEqual([]);
	});

	it('does not go on where it is gone', async () => {
		await using rig = await openRig({ findPast: async () => err(new AppError('not_found', 'Its folder is gone.')) });
		expect(await resume(rig)).toMatchObject({ error: { code: 'not_found', message: 'Its folder is gone.' } });
		expect(unwrap(rig.store.sessions())).toEqual([]);
	});
});
