// Projects and terminals on the machine.
import { z } from 'zod';
import { foundProjectId, nativeSessionId, pastEventsPage, pastSessionList, projectList } from '../api/projects.ts';
import { closeTerminalBody, openTerminalBody, terminalRow } from '../api/terminals.ts';
import { terminalId } from '../ids.ts';
import { none, nothing, operation, page } from './operation.ts';

const read = { method: 'GET', needs: 'view', from: 'machine' } as const;
const command = { method: 'POST', needs: 'own', from: 'machine', command: true, outside: true } as const;
const upgrade = { ...read, upgrade: true, status: 101 } as const;

export const projects = {
	list: operation(read, '/projects', 'Projects on this machine, as of the last scan', { reply: projectList }),
	scan: operation(
		{ ...read, method: 'POST', agentsMay: true, status: 202 },
		'/projects/scan',
		'Scan for projects; GET /projects shows the progress. One scan at a time',
		{ reply: projectList },
	),
	sessions: operation(read, '/projects/:id/sessions', 'Past sessions of a project, latest first', {
		params: z.strictObject({ id: foundProjectId }),
		reply: pastSessionList,
	}),
	events: operation(
		read,
		'/projects/:id/sessions/:nativeId/events',
		'A past session as a feed, after an offset; nothing is recorded',
		{ params: z.strictObject({ id: foundProjectId, nativeId: nativeSessionId }), query: page, reply: pastEventsPage },
	),
} as const;

const ofTerminal = z.strictObject({ id: terminalId });

export const terminals = {
	list: operation(read, '/terminals', 'Running terminals, and those that ended recently', { reply: z.array(terminalRow) }),
	open: operation({ ...command, status: 201 }, '/terminals', "Open the user's shell in a new terminal", {
		body: openTerminalBody,
		reply: terminalRow,
	}),
	close: operation(command, '/terminals/:id/close', 'End its program and everything that it started', {
		params: ofTerminal,
		body: closeTerminalBody,
		reply: nothing,
	}),
} as const;

/** Opened as WebSockets; their frames are in `api/stream-frames.ts` and `api/terminals.ts`. */
export const sockets = {
	stream: operation(
		{ ...upgrade, from: 'record' },
		'/stream',
		'WebSocket: stored lines, deltas and requests as they arrive; calls of operations',
		{ reply: none },
	),
	terminal: operation(
		{ ...upgrade, needs: 'own' },
		'/terminals/:id',
		'WebSocket: a snapshot of the screen, then its bytes as they arrive; keys on the way back',
		{ params: ofTerminal, reply: none },
	),
} as const;
