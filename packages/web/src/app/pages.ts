// Every page by its address. All but the inbox are loaded when they are opened.
import { type ComponentType, createElement, lazy } from 'react';
import { Inbox } from '../asks/inbox.tsx';
import type { ServerKind } from '../device/server-kind.ts';
import type { ActionName } from '../keys/actions.ts';
import { NotLoaded } from '../parts/not-loaded.tsx';
import { OnMachine } from '../parts/on-machine.tsx';

export type Page = {
	readonly path: string;
	/** In the navigation; without a name a page is reached from another one. */
	readonly name?: string;
	/** Opens it from the keyboard and the list of commands. */
	readonly action?: ActionName;
	/** Only on the page of a hub. */
	readonly isOfHub?: true;
	readonly page: ComponentType;
};

/** A page that cannot be loaded says so: the runner is away, or has a newer build. */
function later(load: () => Promise<ComponentType>): ComponentType {
	return lazy(async () => ({ default: await load().catch(() => NotLoaded) }));
}

/** What only the machine of the runner knows cannot be shown while it is away. */
function ofMachine(title: string, load: () => Promise<ComponentType>): ComponentType {
	const Shown = later(load);
	return () => createElement(OnMachine, { title }, createElement(Shown));
}

export const PAGES: readonly Page[] = [
	{ path: '/', name: 'Inbox', action: 'inbox', page: Inbox },
	{ path: '/board', name: 'Board', action: 'board', page: later(async () => (await import('../sessions/board.tsx')).Board) },
	{ path: '/search', name: 'Search', action: 'search', page: later(async () => (await import('../search/search.tsx')).Search) },
	{
		path: '/t',
		name: 'Terminals',
		action: 'terminals',
		page: ofMachine('Terminals', async () => (await import('../terminal/terminals.tsx')).Terminals),
	},
	{
		path: '/rules',
		name: 'Rules',
		action: 'rules',
		page: ofMachine('Rules', async () => (await import('../rules/rules.tsx')).Rules),
	},
	{ path: '/usage', name: 'Usage', action: 'usage', page: later(async () => (await import('../usage/usage.tsx')).Usage) },
	{
		path: '/projects',
		name: 'Projects',
		action: 'projects',
		page: ofMachine('Projects', async () => (await import('../projects/projects.tsx')).Projects),
	},
	{
		path: '/agents',
		name: 'Agents',
		action: 'agents',
		page: ofMachine('Agents', async () => (await import('../agents/agents.tsx')).Agents),
	},
	{
		path: '/devices',
		name: 'Devices',
		action: 'devices',
		page: later(async () => (await import('../devices/devices.tsx')).Devices),
	},
	{
		path: '/queued',
		name: 'Queued commands',
		isOfHub: true,
		page: later(async () => (await import('../hub/queued-commands.tsx')).QueuedCommands),
	},
	{ path: '/more', page: later(async () => (await import('./more.tsx')).More) },
	{
		path: '/new',
		action: 'newSession',
		page: ofMachine('New session', async () => (await import('../sessions/new-session.tsx')).NewSession),
	},
	{ path: '/s/:id', page: later(async () => (await import('../session/session-page.tsx')).SessionPage) },
	{ path: '/s/:id/e/:offset', page: later(async () => (await import('../session/event-page.tsx')).EventPage) },
	{ path: '/s/:id/changes', page: later(async () => (await import('../changes/changes-page.tsx')).ChangesPage) },
	{ path: '/s/:id/terminal', page: later(async () => (await import('../terminal/session-terminal.tsx')).SessionTerminal) },
	{ path: '/t/:id', page: ofMachine('Terminal', async () => (await import('../terminal/terminal-page.tsx')).TerminalPage) },
	{ path: '/projects/:id', page: ofMachine('Project', async () => (await import('../projects/project.tsx')).Project) },
	{
		path: '/projects/:id/:nativeId',
		page: ofMachine('Past session', async () => (await import('../projects/past-session.tsx')).PastSession),
	},
];

/** Those in the navigation. */
export function listedPages(kind: ServerKind | undefined): readonly Page[] {
	return PAGES.filter(({ name, isOfHub }) => name !== undefined && (isOfHub === undefined || kind === 'hub'));
}
