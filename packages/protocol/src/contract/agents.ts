// The agents on the machine, and the progress of long-running commands.
import { z } from 'zod';
import { commandProgress } from '../api/agent-commands.ts';
import { agentRow, proveAgentsBody } from '../api/agents.ts';
import { commandId } from '../api/driving.ts';
import { operation } from './operation.ts';

const read = { method: 'GET', needs: 'view', from: 'machine' } as const;
const prove = { method: 'POST', needs: 'own', from: 'machine', command: true, outside: true, progress: true } as const;

export const agents = {
	list: operation(read, '/agents', 'The agents that Roost supports: installed version, problems and capabilities', {
		reply: z.array(agentRow).readonly(),
	}),
	prove: operation(
		prove,
		'/agents/prove',
		'Test the permission hook of each installed agent by starting it once, which takes seconds',
		{ body: proveAgentsBody, reply: z.array(agentRow).readonly() },
	),
} as const;

export const commands = {
	progress: operation(read, '/commands/:id', 'Progress of a long-running command', {
		params: z.strictObject({ id: commandId }),
		reply: commandProgress,
	}),
} as const;
