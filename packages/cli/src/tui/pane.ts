// One part of the screen: state, key bindings and drawing. Pure: facts and keys in, rows and wishes out.
import type { Wish as RunnerWish } from '@roost/client/world/wish';
import type { World } from '@roost/client/world/world';
import type { AskId, EventId, RunnerId, SessionId } from '@roost/protocol/ids';
import type { Binding } from './keys/keymap.ts';
import type { Cursor } from './screen/painter.ts';
import type { Row } from './screen/row.ts';
import type { Styles, ThemeName } from './screen/styles.ts';

export type Room = { readonly width: number; readonly height: number; readonly styles: Styles };

export type Drawn = {
	/** At most as many as the height of the room. */
	rows: readonly Row[];
	/** Only for panes with text input. */
	cursor?: Cursor;
};

export type Pane<State> = {
	readonly title: string;
	/** A function if they depend on the state. */
	readonly keys: readonly Binding[] | ((state: State) => readonly Binding[]);
	/** `event`: the event it was opened on. */
	start(world: World, event?: EventId): State;
	/** Called instead of `start` when it is opened again. */
	again?(before: State, world: World): State;
	act(state: State, action: string, world: World, room: Room): Step<State>;
	/** Whether typed characters are text instead of keys. */
	takesText?(state: State): boolean;
	/** Typed or pasted; never empty. */
	type?(state: State, text: string, world: World): Step<State>;
	draw(state: State, world: World, room: Room): Drawn;
};

export type Step<State> = {
	state: State;
	wishes?: readonly Wish[];
	/** `back` closes the topmost dialog. */
	go?: Place | EventPlace;
};

/** The full-screen views, and the dialogs above them. */
export const VIEWS = ['feed', 'detail', 'tasks', 'actors', 'sessions', 'past', 'waiting', 'rules', 'stats', 'runners'] as const;
export type ViewName = (typeof VIEWS)[number];
export const DIALOGS = ['permission', 'question', 'palette', 'help', 'search', 'composer'] as const;
export type DialogName = (typeof DIALOGS)[number];
export type Place = ViewName | DialogName | 'back';
/** One event, or the feed at an event or at its end. */
export type EventPlace =
	| { readonly place: 'detail'; readonly event: EventId }
	| { readonly place: 'feed'; readonly event?: EventId }
	| AskPlace;
/** The dialog of one ask; the oldest by default. */
export type AskPlace = { readonly place: 'permission' | 'question'; readonly ask: AskId };

export function stay<State>(state: State): Step<State> {
	return { state };
}

export type Wish =
	| RunnerWish
	| { type: 'copy'; text: string }
	/** Hides the events shown so far, or shows all again. */
	| { type: 'clear' | 'show-all' }
	| { type: 'theme'; theme: ThemeName }
	| { type: 'say'; sentence: string }
	/** Attaches to its terminal until the user detaches. */
	| { type: 'attach'; id: SessionId }
	/** Shows another runner of the hub, with this session or request open. */
	| { type: 'switch-runner'; runner: RunnerId; session?: SessionId; ask?: AskId }
	| { type: 'quit' };

/** Where the user goes from the terminal UI; it opens again afterwards. */
export type Leaving =
	| { readonly to: 'terminal'; readonly session: SessionId }
	| ({ readonly to: 'runner' } & Omit<Extract<Wish, { type: 'switch-runner' }>, 'type'>);
