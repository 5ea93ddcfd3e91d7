import { sessionId } from '@roost/protocol/ids';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { createRefuseOtherWriter } from './other-writer.ts';

const SESSION = sessionId.parse('s1');
const ON_RECORD = { agent: 'claude', nativeId: 'n1', session: SESSION };

type World = { open?: number[]; reported?: boolean; driven?: number[]; inTerminal?: number };

/** Process 21 is a child of 20; all others have no parent. */
function createRefuse({ open = [], reported = false, driven = [], inTerminal }: World) {
	return createRefuseOtherWriter({
		openIn: async (agent, nativeId) => (agent === 'claude' && nativeId === 'n1' ? open : []),
		reports: () => reported,
		ownPids: (id) => (id === SESSION ? { driven, inTerminal } : { driven: [], inTerminal: undefined }),
		ancestorsOf: (pid) => (pid === 21 ? [21, 20, 1] : [pid, 1]),
	});
}

describe('another writer of a conversation', () => {
	it('is reported with advice', async () => {
		const refuse = createRefuse({ open: [20, 77], driven: [20] });
		expect(unwrapError(await refuse(ON_RECORD))).toMatchObject({
			code: 'conflict',
			message: 'This conversation is open in another claude, process 77: end that one first, or fork it.',
		});
		expect(unwrapError(await refuse({ agent: 'claude', nativeId: 'n1' })).message).toBe(
			'This past session is open in another claude, process 20: end that one first.',
		);
	});

	it('can also be one that only reports, except in the terminal of the session', async () => {
		expect(unwrapError(await createRefuse({ reported: true })(ON_RECORD)).message).toBe(
			'This conversation is open in a terminal: end it there first, or fork it.',
		);
		unwrap(await createRefuse({ reported: true, open: [20], inTerminal: 20 })(ON_RECORD));
	});

	it.each<[string, World]>([
		['an agent that Roost drives', { open: [20], driven: [20] }],
		['an agent that Roost started through a script', { open: [21], driven: [20] }],
		['an agent in the session’s terminal', { open: [21], inTerminal: 20 }],
		['an agent with another conversation open', { open: [] }],
	])('is not %s', async (_who, world) => {
		unwrap(await createRefuse(world)(ON_RECORD));
	});

	it('can be an agent that Roost drives for another session', async () => {
		const refuse = createRefuse({ open: [20], driven: [20] });
		expect((await refuse({ ...ON_RECORD, session: sessionId.parse('s2') })).ok).toBe(false);
	});
});
