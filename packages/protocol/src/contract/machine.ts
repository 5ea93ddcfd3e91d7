// Projects and terminals on the machine.
import { z } from 'zod';
import { foundProjectId, nativeSessionId, pastEventsPage, pastSessionList, projectList } from '../api/projects.ts';
import { closeTerminalBody, openTerminalBody, terminalRow } from '../api/terminals.ts';
import { terminalId } from '../ids.ts';
import { API, defineOperation, none, nothing, page } from './operation.ts';

const read = { method: 'GET', needs: 'view', from: 'machine' } as const;
const projectsPath = `${API}/projects`;

export const projects = {
	list: defineOperation({
		...read,
		path: projectsPath,
		summary: 'Projects on this machine, as of the last scan',
		reply: projectList,
	}),
	scan: defineOperation({
		...read,
		method: 'POST',
		path: `${projectsPath}/scan`,
		agentsMay: true,
		summary: 'Scan for projects; GET /projects shows the progress. One scan at a time',
		status: 202,
		reply: projectList,
	}),
	sessions: defineOperation({
		...read,
		path: `${projectsPath}/:id/sessions`,
		summary: 'Past sessions of a project, latest first',
		params: z.strictObject({ id: foundProjectId }),
		reply: pastSessionList,
	}),
	events: defineOperation({
		...read,
		path: `${projectsPath}/:id/sessions/:nativeId/events`,
		summary: 'A past session as a feed, after an offset; nothing is recorded',
		params: z.strictObject({ id: foundProjectId, nativeId: nativeSessionId }),
		query: page,
		reply: pastEventsPage,
	}),
} as const;

const terminalsPath = `${API}/terminals`;
const ofTerminal = z.strictObject({ id: terminalId });
const command = { method: 'POST', needs: 'own', from: 'machine', command: true, outside: true } as const;

export const terminals = {
	list: defineOperation({
		...read,
		path: terminalsPath,
		summary: 'Running terminals, and those that ended recently',
		reply: z.array(terminalRow),
	}),
	open: defineOperation({
		...command,
		path: terminalsPath,
		summary: "Open the user's shell in a new terminal",
		status: 201,
		body: openTerminalBody,
		reply: terminalRow,
	}),
	close: defineOperation({
		...command,
		path: `${terminalsPath}/:id/close`,
		summary: 'End its program and everything that it started',
		params: ofTerminal,
		body: closeTerminalBody,
		reply: nothing,
	}),
} as const;

/** Opened as WebSockets; their frames are in `api/stream-frames.ts` and `api/terminals.ts`. */
export const sockets = {
	stream: defineOperation({
		...read,
		from: 'record',
		path: `${API}/stream`,
		upgrade: true,
		summary: 'WebSocket: stored lines, deltas and requests as they arrive; calls of operations',
		status: 101,
		reply: none,
	}),
	terminal: defineOperation({
		...read,
		needs: 'own',
		path: `${terminalsPath}/:id`,
		upgrade: true,
		summary: 'WebSocket: a snapshot of the screen, then its bytes as they arrive; keys on the way back',
		status: 101,
		params: ofTerminal,
		reply: none,
	}),
} as const;
