import { KNOWN_AGENTS } from '@roost/agents/kinds';
import { mockAgent } from '@roost/agents/mock/driven/open-mock-agent';
import { type AgentProgram, agentRow, type GuardProof, guardWords, isHere } from '@roost/protocol/api/agents';
import { ok } from '@roost/protocol/result';
import { describe, expect, it } from 'vitest';
import { createAgentList } from './agent-list.ts';
import type { GuardProofs } from './prove-here.ts';

const FINE: AgentProgram = { path: '/bin/x', version: '9.9.9', problem: null };
const OLD: AgentProgram = { ...FINE, problem: { kind: 'too-old', sentence: 'Update it.' } };
const cells = { start: { outcome: 'pass' as const } };

describe('agents of a machine', () => {
	it('include the known agents with their programs and those that need no program', async () => {
		const rows = await openRig(FINE).list();
		expect(rows.map(({ id }) => id)).toEqual([...KNOWN_AGENTS.map(({ id }) => id), 'mock']);
		for (const row of rows) expect(agentRow.parse(row)).toEqual(row);
		expect(rows.find(({ id }) => id === 'claude')).toMatchObject({
			title: 'Claude Code',
			takesPrompts: true,
			program: FINE,
			observed: expect.any(String),
			guarded: 'hooks',
			guardProof: { state: 'not-proven' },
			proven: { version: '1.0.0', cells },
		});
		expect(rows.at(-1)).toMatchObject({ id: 'mock', takesPrompts: true, program: null, observed: null, proven: null });
	});

	it('are tested one after the other, with progress, if they are installed and have a guard', async () => {
		const reported: string[] = [];
		const rows = await openRig(FINE).prove({}, (line) => reported.push(line));
		expect(reported).toEqual(['1 of 1: proving the guard of Claude Code …']);
		const proven = rows.flatMap(({ id, guardProof }) => (guardProof ? [[id, guardWords(guardProof)]] : []));
		expect(proven).toEqual([['claude', 'permission hook test failed: it slept']]);
		const none: string[] = [];
		await openRig(OLD).prove({}, (line) => none.push(line));
		expect(none).toEqual([]);
	});

	it('are not available if their program has a problem, with the reason', async () => {
		const list = openRig(OLD);
		expect((await list.list()).filter(isHere).map(({ id }) => id)).toEqual(['mock']);
		expect(await list.whyNot('claude')).toBe('Update it.');
		expect(await list.whyNot('mock')).toBeNull();
		expect(await list.whyNot('nobody')).toBeNull();
		expect(await openRig(FINE).whyNot('claude')).toBeNull();
	});
});

it('lists a custom agent as unavailable if it would not start', async () => {
	const agent = { ...mockAgent(), refuse: () => 'It is not on your PATH.' };
	const list = createAgentList({
		drivable: new Map([['mine', agent]]),
		known: [],
		guardOf: () => null,
		inspect: unused,
		proofs: { known: unused, prove: unused },
		readMatrix: () => ({ columns: [], agents: {} }),
	});
	const [row] = await list.list();
	expect(row?.program?.problem).toEqual({ kind: 'missing', sentence: 'It is not on your PATH.' });
});

function unused(): never {
	throw new Error('it has no program that is known');
}

function createProofs(): GuardProofs {
	const proofs = new Map<string, GuardProof>();
	return {
		known: async ({ id }) => proofs.get(id) ?? { state: 'not-proven' },
		async prove({ id }) {
			const proof: GuardProof = { state: 'not-guarded', provenAt: 1, reason: 'it slept' };
			proofs.set(id, proof);
			return ok({ proof, argv: ['/bin/x'] });
		},
		[Symbol.asyncDispose]: async () => {},
	};
}

function openRig(program: AgentProgram) {
	const agent = mockAgent();
	return createAgentList({
		drivable: new Map([
			['claude', agent],
			['mock', agent],
		]),
		known: KNOWN_AGENTS,
		guardOf: (id) => (id === 'claude' ? 'hooks' : null),
		inspect: async () => program,
		proofs: createProofs(),
		readMatrix: () => ({ columns: [], agents: { claude: { title: 'Claude Code', version: '1.0.0', cells } } }),
	});
}
