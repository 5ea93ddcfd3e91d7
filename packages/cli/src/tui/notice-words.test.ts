import type { Notice } from '@roost/client/world/notice';
import { sessionId } from '@roost/protocol/ids';
import { sampleSession } from '@roost/testkit/rigs/record/sample-append';
import { describe, expect, it } from 'vitest';
import { noticeWords } from './notice-words.ts';

const S1 = sessionId.parse('s1');
const session = sampleSession('s2', { projectPath: '/home/lea/shop' });

describe('notice in the terminal', () => {
	it.each<[Notice, string]>([
		[{ type: 'failed', message: 'Not found.' }, 'Not found.'],
		[{ type: 'exported', message: 'Wrote 2 events to a.jsonl.' }, 'Wrote 2 events to a.jsonl.'],
		[{ type: 'prompt-failed', message: 'Only observed.' }, 'Only observed. Press Up to get your text back.'],
		[
			{ type: 'command-queued', commandId: 'c1', until: Date.UTC(2026, 0, 1, 14, 2) },
			'Queued until 14:02 UTC: the runner is offline. "roost hub commands" lists queued commands.',
		],
		[{ type: 'prompt-queued' }, 'The agent is busy: prompt queued. Press i to edit or cancel it.'],
		[{ type: 'answered-before', by: { state: 'denied', principal: 'bob@web' } }, 'bob@web was first: denied.'],
		[{ type: 'answered-before', by: { state: 'allowed' } }, 'Another answer was first: allowed.'],
		[{ type: 'archived', id: S1, archived: true }, 's1 archived. Press v in the list to show archived sessions.'],
		[{ type: 'archived', id: S1, archived: false }, 's1 is back in the list.'],
		[{ type: 'taken-back', id: S1 }, 's1 is back from its terminal. Press i to write to its agent.'],
		[{ type: 'session-began', session }, 'New claude session s2 in shop: type ":open s2" to see it.'],
		[{ type: 'reconnected', afterMs: 65_000 }, 'The runner is back after 1m: no events are missing.'],
		[{ type: 'nothing-to-export', isPast: false }, 'No session is open.'],
		[{ type: 'nothing-to-export', isPast: true }, 'Past sessions are not on record. Nothing to export.'],
	])('%j', (notice, words) => {
		expect(noticeWords(notice)).toBe(words);
	});
});
