// Every page by its address. All but the inbox are loaded when they are opened.
import { type ComponentType, lazy } from 'react';
import { Inbox } from '../asks/inbox.tsx';
import type { ActionName } from '../keys/actions.ts';
import { NotLoaded } from '../parts/not-loaded.tsx';

export type Page = {
	readonly path: string;
	/** In the navigation; without a name a page is reached from another one. */
	readonly name?: string;
	/** Opens it from the keyboard and the list of commands. */
	readonly action?: ActionName;
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

export const PAGES: readonly Page[] = [
	{ path: '/', name: 'Inbox', action: 'inbox', page: Inbox },
	{ path: '/board', name: 'Board', action: 'board', ...later(async () => (await import('../sessions/board.tsx')).Board) },
	{ path: '/search', name: 'Search', action: 'search', ...later(async () => (await import('../search/search.tsx')).Search) },
	{
		path: '/t',
		name: 'Terminals',
		action: 'terminals',
		...later(async () => (await import('../terminal/terminals.tsx')).Terminals),
	},
	{ path: '/rules', name: 'Rules', action: 'rules', ...later(async () => (await import('../rules/rules.tsx')).Rules) },
	{ path: '/usage', name: 'Usage', action: 'usage', ...later(async () => (await import('../usage/usage.tsx')).Usage) },
	{
		path: '/projects',
		name: 'Projects',
		action: 'projects',
		...later(async () => (await import('../projects/projects.tsx')).Projects),
	},
	{ path: '/agents', name: 'Agents', action: 'agents', ...later(async () => (await import('../agents/agents.tsx')).Agents) },
	{
		path: '/devices',
		name: 'Devices',
		action: 'devices',
		...later(async () => (await import('../devices/devices.tsx')).Devices),
	},
	{ path: '/more', ...later(async () => (await import('./more.tsx')).More) },
	{ path: '/new', action: 'newSession', ...later(async () => (await import('../sessions/new-session.tsx')).NewSession) },
	{ path: '/s/:id', ...later(async () => (await import('../session/session-page.tsx')).SessionPage) },
	{ path: '/s/:id/e/:offset', ...later(async () => (await import('../session/event-page.tsx')).EventPage) },
	{ path: '/s/:id/changes', ...later(async () => (await import('../changes/changes-page.tsx')).ChangesPage) },
	{ path: '/s/:id/terminal', ...later(async () => (await import('../terminal/session-terminal.tsx')).SessionTerminal) },
	{ path: '/t/:id', ...later(async () => (await import('../terminal/terminal-page.tsx')).TerminalPage) },
	{ path: '/projects/:id', ...later(async () => (await import('../projects/project.tsx')).Project) },
	{ path: '/projects/:id/:nativeId', ...later(async () => (await import('../projects/past-session.tsx')).PastSession) },
];

/** Those in the navigation. */
export const LISTED = PAGES.filter(({ name }) => name !== undefined);

/** The script of the page at an address is requested before anything is rendered. */
export function preloadPage(address: string): void {
	PAGES.find(({ path }) => new RegExp(`^${path.replaceAll(/:\\w+/g, '[^/]+')}$`).test(address))?.preload?.();
}
