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
	/** Begins to load its script. */
	readonly preload?: () => void;
};

/** A page that cannot be loaded says so: the runner is away, or has a newer build. */
function later(load: () => Promise<ComponentType>): Pick<Page, 'page' | 'preload'> {
	let loading: Promise<ComponentType> | undefined;
	const begin = () => (loading ??= load().catch(() => NotLoaded));
	return { page: lazy(async () => ({ default: await begin() })), preload: () => void begin() };
}

/** What only the machine of the runner knows cannot be shown while it is away. */
function ofMachine(title: string, load: () => Promise<ComponentType>): Pick<Page, 'page' | 'preload'> {
	const { page: Shown, ...rest } = later(load);
	return { page: () => createElement(OnMachine, { title }, createElement(Shown)), ...rest };
}

export const PAGES: readonly Page[] = [
	{ path: '/', name: 'Inbox', action: 'inbox', page: Inbox },
	{ path: '/board', name: 'Board', action: 'board', ...later(async () => (await import('../sessions/board.tsx')).Board) },
	{ path: '/search', name: 'Search', action: 'search', ...later(async () => (await import('../search/search.tsx')).Search) },
	{
		path: '/t',
		name: 'Terminals',
		action: 'terminals',
		...ofMachine('Terminals', async () => (await import('../terminal/terminals.tsx')).Terminals),
	},
	{
		path: '/rules',
		name: 'Rules',
		action: 'rules',
		...ofMachine('Rules', async () => (await import('../rules/rules.tsx')).Rules),
	},
	{ path: '/usage', name: 'Usage', action: 'usage', ...later(async () => (await import('../usage/usage.tsx')).Usage) },
	{
		path: '/projects',
		name: 'Projects',
		action: 'projects',
		...ofMachine('Projects', async () => (await import('../projects/projects.tsx')).Projects),
	},
	{
		path: '/agents',
		name: 'Agents',
		action: 'agents',
		...ofMachine('Agents', async () => (await import('../agents/agents.tsx')).Agents),
	},
	{
		path: '/devices',
		name: 'Devices',
		action: 'devices',
		...later(async () => (await import('../devices/devices.tsx')).Devices),
	},
	{
		path: '/queued',
		name: 'Queued commands',
		isOfHub: true,
		...later(async () => (await import('../hub/queued-commands.tsx')).QueuedCommands),
	},
	{ path: '/more', ...later(async () => (await import('./more.tsx')).More) },
	{
		path: '/new',
		action: 'newSession',
		...ofMachine('New session', async () => (await import('../sessions/new-session.tsx')).NewSession),
	},
	{ path: '/s/:id', ...later(async () => (await import('../session/session-page.tsx')).SessionPage) },
	{ path: '/s/:id/e/:offset', ...later(async () => (await import('../session/event-page.tsx')).EventPage) },
	{ path: '/s/:id/changes', ...later(async () => (await import('../changes/changes-page.tsx')).ChangesPage) },
	{ path: '/s/:id/terminal', ...later(async () => (await import('../terminal/session-terminal.tsx')).SessionTerminal) },
	{ path: '/t/:id', ...ofMachine('Terminal', async () => (await import('../terminal/terminal-page.tsx')).TerminalPage) },
	{ path: '/projects/:id', ...ofMachine('Project', async () => (await import('../projects/project.tsx')).Project) },
	{
		path: '/projects/:id/:nativeId',
		...ofMachine('Past session', async () => (await import('../projects/past-session.tsx')).PastSession),
	},
];

/** Those in the navigation. */
export function listedPages(kind: ServerKind | undefined): readonly Page[] {
	return PAGES.filter(({ name, isOfHub }) => name !== undefined && (isOfHub === undefined || kind === 'hub'));
}

/** The script of the page at an address is requested before anything is rendered. */
export function preloadPage(address: string): void {
	PAGES.find(({ path }) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`).test(address))?.preload?.();
}
