// All panes by name, with their state.
import type { World } from '@roost/client/world/world';
import type { EventId } from '@roost/protocol/ids';
import { type ComposerState, composerPane } from '../dialogs/composer.ts';
import { type HelpState, helpPane } from '../dialogs/help.ts';
import { type PaletteState, palettePane } from '../dialogs/palette.ts';
import { type PermissionState, permissionPane } from '../dialogs/permission.ts';
import { type QuestionState, questionPane } from '../dialogs/question.ts';
import { type SearchState, searchPane } from '../dialogs/search.ts';
import type { Binding } from '../keys/keymap.ts';
import type { DialogName, Drawn, Pane, Room, Step, ViewName } from '../pane.ts';
import { type ActorsState, actorsPane } from '../panes/actors.ts';
import { type DetailState, detailPane } from '../panes/detail.ts';
import { type FeedState, feedPane } from '../panes/feed.ts';
import { type PastState, pastPane } from '../panes/past.ts';
import { type RulesState, rulesPane } from '../panes/rules.ts';
import { type SessionsState, sessionsPane } from '../panes/sessions.ts';
import { type StatsState, statsPane } from '../panes/stats.ts';
import { type TasksState, tasksPane } from '../panes/tasks.ts';
import { type WaitingState, waitingPane } from '../panes/waiting.ts';

export type PaneName = ViewName | DialogName;

export type PaneStates = {
	feed: FeedState;
	detail: DetailState;
	tasks: TasksState;
	actors: ActorsState;
	sessions: SessionsState;
	past: PastState;
	waiting: WaitingState;
	rules: RulesState;
	stats: StatsState;
	permission: PermissionState;
	question: QuestionState;
	palette: PaletteState;
	help: HelpState;
	search: SearchState;
	composer: ComposerState;
};

const PANES: { readonly [Name in PaneName]: Pane<PaneStates[Name]> } = {
	feed: feedPane,
	detail: detailPane,
	tasks: tasksPane,
	actors: actorsPane,
	sessions: sessionsPane,
	past: pastPane,
	waiting: waitingPane,
	rules: rulesPane,
	stats: statsPane,
	permission: permissionPane,
	question: questionPane,
	palette: palettePane,
	help: helpPane,
	search: searchPane,
	composer: composerPane,
};

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
