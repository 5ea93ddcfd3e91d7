import { agentRow } from '@roost/protocol/api/agents';
import { commandProgress } from '@roost/protocol/api/claude-commands';
import { startTestGateway } from '@roost/testkit/rigs/test-gateway';
import { expect, it } from 'vitest';

it('proves the guards of agents once for each id, tells how far it is, and answers with all of them', async () => {
	await using rig = await startTestGateway();
	const prove = async (body: object) => {
		const reply = await rig.post('/api/v1/agents/prove', body);
		return { status: reply.status, body: JSON.parse(reply.body) };
	};
	const first = await prove({ commandId: 'c1', again: true });
	expect(agentRow.array().parse(first.body)).toMatchObject([{ id: 'mock', guardProof: { state: 'guarded' } }]);
	expect(await prove({ commandId: 'c1', again: true })).toEqual(first);
	expect(await prove({ commandId: 'c1' })).toMatchObject({ status: 409 });
	const progress = commandProgress.parse(JSON.parse((await rig.call({ path: '/api/v1/commands/c1' })).body));
	expect(progress).toMatchObject({ running: false, lines: ['1 of 1: proving the guard of Scripted agent …'] });
	expect(await prove({})).toMatchObject({ status: 400 });
	expect(await prove({ commandId: 'c2', agent: 'x' })).toMatchObject({ status: 400 });
});
