import type { AgentStatus } from '@roost/protocol/api/agent-status';
import { describe, expect, it } from 'vitest';
import { statusWords } from './words.ts';

const NOW = 100_000;
const words = (over: Partial<AgentStatus>) => statusWords({ status: 'idle', source: 'file', asOf: NOW - 3_000, ...over }, NOW);

describe('agent status text', () => {
	it.each([
		[{ status: 'waiting', waitingFor: 'permission prompt' }, 'waiting for a permission prompt (its status file, 3s ago)'],
		[{ status: 'waiting', waitingFor: 'input needed' }, 'waiting for an answer (its status file, 3s ago)'],
		[
			{ status: 'waiting', waitingFor: 'a new\u001b[2J thing' },
			String.raw`waiting for a new\x1b[2J thing (its status file, 3s ago)`,
		],
		[{ status: 'waiting', waitingFor: 'constructor' }, 'waiting for constructor (its status file, 3s ago)'],
		[{ status: 'waiting', source: 'hooks' }, 'waiting for the user (its hooks, 3s ago)'],
		[{ status: 'busy', source: 'screen', asOf: NOW + 5 }, 'busy (its screen, 0s ago)'],
		[{ status: 'unknown', source: 'none' }, 'unknown'],
	] as const)('includes its source and age: %j', (status, text) => {
		expect(words(status)).toBe(text);
	});
});
