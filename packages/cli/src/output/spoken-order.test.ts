import { eventId } from '@roost/protocol/ids';
import { sampleEvent } from '@roost/testkit/rigs/record/sample-append';
import { expect, it } from 'vitest';
import { inSpokenOrder } from '../commands/feed.ts';

const say = (seq: number, call?: number) =>
	sampleEvent('s', seq, {
		kind: 'agent.message',
		data: { text: 'words', ...(call ? { announces: eventId.parse(`s:R1:E${call}`) } : {}) },
	});
const call = (seq: number) => sampleEvent('s', seq, { kind: 'tool.pre', data: { tool_name: 'Bash', tool_input: {} } });

it('puts a message before the call it announces, if that is among the lines', () => {
	const lines = [say(1), call(2), call(3), say(4, 2), say(5, 99)].map((event) => ({ event }));
	expect(inSpokenOrder(lines).map(({ event }) => event.seq)).toEqual([1, 4, 2, 3, 5]);
});
