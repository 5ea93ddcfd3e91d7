// One part of the screen: its state, what its keys do, and how it looks. Pure: facts and keys in, rows and wishes out.

import type { Wish as RunnerWish } from '@roost/client/world/wish';
import type { World } from '@roost/client/world/world';
import type { AskId, EventId, SessionId } from '@roost/protocol/ids';
import type { Binding } from './keys/keymap.ts';
import type { Cursor } from './screen/painter.ts';
import type { Row } from './screen/row.ts';
import type { Styles, ThemeName } from './screen/styles.ts';

/** How much there is of the screen, and how things look on it. */
export type Room = { readonly width: number; readonly height: number; readonly styles: Styles };

export type Drawn = {
	/** At most as many as the room is high. */
	rows: readonly Row[];
	/** Within the rows; only for panes that take text. */
	cursor?: Cursor;
};

export type Pane<State> = {
	/** For tabs and help. */
	readonly title: string;
	/** A function where they depend on what is being done, such as typing into a field. */
	readonly keys: readonly Binding[] | ((state: State) => readonly Binding[]);
	/** `event` is what it was opened on, where it was opened on one. */
	start(world: World, event?: EventId): State;
	/** Opened again, to keep something of what it was; without it, it starts anew. */
	again?(before: State, world: World): State;
	/** A key of this pane's own bindings was pressed. */
	act(state: State, action: string, world: World, room: Room): Step<State>;
	/** Whether typed characters are text now and not keys. */
	takesText?(state: State): boolean;
	/** Typed or pasted; never empty. */
	type?(state: State, text: string, world: World): Step<State>;
	draw(state: State, world: World, room: Room): Drawn;
};

export type Step<State> = {
	state: State;
	wishes?: readonly Wish[];
	/** Where to go next; `back` closes what is on top. */
	go?: Place | EventPlace;
};

/** The full-screen views and what opens above them. */
export const VIEWS = ['feed', 'detail', 'tasks', 'actors', 'sessions', 'past', 'waiting', 'rules', 'stats'] as const;
export type ViewName = (typeof VIEWS)[number];
export const DIALOGS = ['permission', 'question', 'palette', 'help', 'search', 'composer'] as const;
export type DialogName = (typeof DIALOGS)[number];
export type Place = ViewName | DialogName | 'back';
/** All of one event, or the feed anew: at an event, which may still be on its way, or at its end. */
export type EventPlace =
	| { readonly place: 'detail'; readonly event: EventId }
	| { readonly place: 'feed'; readonly event?: EventId }
	| AskPlace;
/** The dialog of one ask; without one it is the oldest. */
export type AskPlace = { readonly place: 'permission' | 'question'; readonly ask: AskId };

/** The pane stays as it is. */
export function stay<State>(state: State): Step<State> {
	return { state };
}

export type Wish =
	| RunnerWish
	| { type: 'copy'; text: string }
	/** The feed without what it shows so far, or with all of it again. */
	| { type: 'clear' | 'show-all' }
	| { type: 'theme'; theme: ThemeName }
	/** One sentence for the status line. */
	| { type: 'say'; sentence: string }
	/** Its terminal instead of this screen, until the user comes back. */
	| { type: 'attach'; id: SessionId }
	| { type: 'quit' };
