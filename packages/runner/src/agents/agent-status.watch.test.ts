import type { AgentStatus } from '@roost/protocol/api/agent-status';
import type { SessionRow } from '@roost/protocol/session-row';
import { sampleSession } from '@roost/testkit/rigs/record/sample-append';
import { describe, expect, it } from 'vitest';
import { toCorrection } from './agent-status.ts';

const NOW = 1_000_000;

describe('correction by the claude status file', () => {
	it.each([
		['working', 'idle', 'interrupted'],
		['waiting', 'idle', 'interrupted'],
		['working', 'waiting', 'dialog-opened'],
		['waiting', 'busy', 'dialog-closed'],
		['working', 'busy', null],
		['waiting', 'waiting', null],
		['idle', 'busy', null],
		['ended', 'idle', null],
	] as const)('%s on record and %s in the file: %s', (recorded, text, correction) => {
		expect(correct({ status: recorded }, { status: text })).toBe(correction);
	});

	it('waits while the agent may still report the change itself', () => {
		expect(correct({ status: 'working', lastEventAt: NOW - 500 }, { status: 'idle' })).toBeNull();
		expect(correct({ status: 'working' }, { status: 'idle', asOf: NOW - 500 })).toBeNull();
	});

	it('ignores a status that is older than the last event', () => {
		expect(correct({ status: 'waiting', lastEventAt: NOW - 3_000 }, { status: 'busy', asOf: NOW - 9_000 })).toBeNull();
	});

	it('reports an interrupt but no dialog in enforce mode', () => {
		expect(correct({ status: 'waiting', gate: 'enforce' }, { status: 'busy' })).toBeNull();
		expect(correct({ status: 'working', gate: 'enforce' }, { status: 'waiting' })).toBeNull();
		expect(correct({ status: 'waiting', gate: 'enforce' }, { status: 'idle' })).toBe('interrupted');
	});

	it('ignores a driven session, whose agent reports everything itself', () => {
		expect(correct({ status: 'working', drive: { mode: 'sdk', cwd: '/p' } }, { status: 'idle' })).toBeNull();
	});
});

function correct(row: Partial<SessionRow>, message: Pick<AgentStatus, 'status'> & Partial<AgentStatus>) {
	return toCorrection(
		sampleSession('k3f9', { agent: 'claude', lastEventAt: NOW - 9_000, ...row }),
		{ source: 'file', asOf: NOW - 5_000, ...message },
		NOW,
	);
}
