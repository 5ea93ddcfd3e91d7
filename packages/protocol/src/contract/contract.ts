// Every operation of the API, by resource. Adding one means: an entry here, a handler, and the face that uses it.
import { devices, login, server } from './access.ts';
import { agents, commands } from './agents.ts';
import { asks } from './asks.ts';
import { changes } from './changes.ts';
import { hubLink } from './hub-link.ts';
import { launches } from './launches.ts';
import { projects, sockets, terminals } from './machine.ts';
import type { Operations } from './operation.ts';
import { marketplaces, mcp, plugins, projectServers } from './plugins.ts';
import { push } from './push.ts';
import { feed, record } from './record.ts';
import { rules } from './rules.ts';
import { runners } from './runners.ts';
import { queue, sessions, settings } from './sessions.ts';

export const contract = {
	record,
	feed,
	asks,
	rules,
	sessions,
	settings,
	queue,
	changes,
	launches,
	agents,
	plugins,
	marketplaces,
	mcp,
	projectServers,
	commands,
	projects,
	terminals,
	sockets,
	login,
	devices,
	push,
	hubLink,
	server,
	runners,
} as const satisfies Record<string, Operations>;

export type Contract = typeof contract;
export type Resource = keyof Contract;
