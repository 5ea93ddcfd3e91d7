// All panes by name, with their state.
import type { World } from '@roost/client/world/world';
import type { EventId } from '@roost/protocol/ids';
import { composerPane } from '../dialogs/composer.ts';
import { helpPane } from '../dialogs/help.ts';
import { palettePane } from '../dialogs/palette.ts';
import { permissionPane } from '../dialogs/permission.ts';
import { questionPane } from '../dialogs/question.ts';
import { searchPane } from '../dialogs/search.ts';
import type { Binding } from '../keys/keymap.ts';
import type { DialogName, Drawn, Pane, Room, Step, ViewName } from '../pane.ts';
import { actorsPane } from '../panes/actors.ts';
import { detailPane } from '../panes/detail.ts';
import { feedPane } from '../panes/feed.ts';
import { pastPane } from '../panes/past.ts';
import { rulesPane } from '../panes/rules.ts';
import { runnersPane } from '../panes/runners.ts';
import { sessionsPane } from '../panes/sessions.ts';
import { statsPane } from '../panes/stats.ts';
import { tasksPane } from '../panes/tasks.ts';
import { waitingPane } from '../panes/waiting.ts';

export type PaneName = ViewName | DialogName;

const ALL = {
	feed: feedPane,
	detail: detailPane,
	tasks: tasksPane,
	actors: actorsPane,
	sessions: sessionsPane,
	past: pastPane,
	waiting: waitingPane,
	rules: rulesPane,
	stats: statsPane,
	runners: runnersPane,
	permission: permissionPane,
	question: questionPane,
	palette: palettePane,
	help: helpPane,
	search: searchPane,
	composer: composerPane,
} as const;

export type PaneStates = { [Name in PaneName]: (typeof ALL)[Name] extends Pane<infer State> ? State : never };

const PANES: { readonly [Name in PaneName]: Pane<PaneStates[Name]> } = ALL;

/** A pane with its state bound. */
type BoundPane = {
	readonly title: string;
	readonly keys: readonly Binding[];
	takesText(): boolean;
	type(text: string, world: World): Step<unknown>;
	act(action: string, world: World, room: Room): Step<unknown>;
	draw(world: World, room: Room): Drawn;
};

export function paneFor<Name extends PaneName>(name: Name, states: PaneStates): BoundPane {
	return bind(PANES[name], states[name]);
}

export function startPanes(world: World): PaneStates {
	const started = Object.entries(PANES).map(([name, pane]) => [name, pane.start(world)]);
	return Object.fromEntries(started);
}

export function restartPane<Name extends PaneName>(name: Name, states: PaneStates, world: World, event?: EventId): PaneStates {
	return { ...states, [name]: restart(PANES[name], states[name], world, event) };
}

function restart<State>(pane: Pane<State>, before: State, world: World, event?: EventId): State {
	return event === undefined && pane.again ? pane.again(before, world) : pane.start(world, event);
}

function bind<State>(pane: Pane<State>, state: State): BoundPane {
	return {
		title: pane.title,
		keys: typeof pane.keys === 'function' ? pane.keys(state) : pane.keys,
		takesText: () => pane.takesText?.(state) ?? false,
		type: (text, world) => pane.type?.(state, text, world) ?? { state },
		act: (action, world, room) => pane.act(state, action, world, room),
		draw: (world, room) => pane.draw(state, world, room),
	};
}
