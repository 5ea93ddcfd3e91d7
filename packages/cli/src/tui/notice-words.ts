// Notices as sentences for the status line.
import { basename } from 'node:path';
import type { Notice } from '@roost/client/world/notice';
import { age } from '@roost/core/display/age';
import { assertNever } from '@roost/protocol/assert-never';

export function noticeWords(notice: Notice): string {
	switch (notice.type) {
		case 'failed':
		case 'exported':
			return notice.message;
		case 'command-queued':
			return `Queued until ${new Date(notice.until).toISOString().slice(11, 16)} UTC: the runner is offline. "roost hub commands" lists queued commands.`;
		case 'prompt-failed':
			return `${notice.message} Press Up to get your text back.`;
		case 'prompt-queued':
			return 'The agent is busy: prompt queued. Press i to edit or cancel it.';
		case 'answered-before':
			return `${notice.by.principal ?? 'Another answer'} was first: ${notice.by.state}.`;
		case 'archived':
			return notice.archived
				? `${notice.id} archived. Press v in the list to show archived sessions.`
				: `${notice.id} is back in the list.`;
		case 'taken-back':
			return `${notice.id} is back from its terminal. Press i to write to its agent.`;
		case 'session-began': {
			const { agent, id, projectPath } = notice.session;
			return `New ${agent} session ${id} in ${basename(projectPath)}: type ":open ${id}" to see it.`;
		}
		case 'reconnected':
			return `The runner is back after ${age(0, notice.afterMs)}: no events are missing.`;
		case 'nothing-to-export':
			return notice.isPast ? 'Past sessions are not on record. Nothing to export.' : 'No session is open.';
		default:
			return assertNever(notice);
	}
}
