import { toModelName } from '@roost/agents/kinds';
import { mockAgent } from '@roost/agents/mock/driven/open-mock-agent';
import type { ControlCommand, DrivableAgent, DrivenRequest } from '@roost/core/runtime/connection';
import { describe, expect, it } from 'vitest';
import { withModelNames } from './open-drivable.ts';

const request: DrivenRequest = { cwd: '/', gate: 'enforce' };

describe('agent with model names', () => {
	it('gets its own name for a model, at its start and later', async () => {
		const { agent, seen } = listening();
		const pi = withModelNames(agent, (model) => toModelName('pi', model));
		expect(pi.refuse({ ...request, model: 'opus' })).toBeNull();
		const { connection } = pi.open({ ...request, model: 'opus' });
		await connection.control({ type: 'model', model: 'haiku' });
		await connection.control({ type: 'permission-mode', mode: 'plan' });
		expect(seen).toEqual([
			'refuse anthropic/claude-opus-5-5',
			'open anthropic/claude-opus-5-5',
			'model anthropic/claude-haiku-4-5',
			'permission-mode',
		]);
	});

	it('gets no model if none was named', () => {
		const { agent, seen } = listening();
		const pi = withModelNames(agent, (model) => toModelName('pi', model));
		expect(pi.refuse(request)).toBeNull();
		expect(seen).toEqual(['refuse undefined']);
	});

	it('rejects a model that it does not have', () => {
		const codex = withModelNames(listening().agent, (model) => toModelName('codex', model));
		expect(codex.refuse({ ...request, model: 'opus' })).toBe('There is no "opus" for codex: name one of its own models.');
	});
});

function listening() {
	const seen: string[] = [];
	const mock = mockAgent();
	const agent: DrivableAgent = {
		...mock,
		refuse({ model }) {
			seen.push(`refuse ${model}`);
			return null;
		},
		open(opened) {
			seen.push(`open ${opened.model}`);
			const { runtime, connection } = mock.open(opened);
			const control = async (command: ControlCommand) => {
				seen.push(command.type === 'model' ? `model ${command.model}` : command.type);
			};
			return { runtime, connection: { ...connection, control } };
		},
	};
	return { agent, seen };
}
