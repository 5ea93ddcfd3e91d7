// Which pane has the focus: one view, and the dialogs above it. Pure, like the panes.
import type { World } from '@roost/client/world/world';
import type { AskId } from '@roost/protocol/ids';
import { helpFor } from '../dialogs/help.ts';
import { showPermission } from '../dialogs/permission.ts';
import { showQuestion } from '../dialogs/question.ts';
import type { KeyPress } from '../keys/key.ts';
import { actionFor, globalKeys } from '../keys/keymap.ts';
import {
	type AskPlace,
	type DialogName,
	type EventPlace,
	type Place,
	type Room,
	type Step,
	VIEWS,
	type ViewName,
	type Wish,
} from '../pane.ts';
import { type PaneStates, paneFor, restartPane, startPanes } from './panes.ts';

export type Shell = {
	readonly view: ViewName;
	/** The last one has the focus. */
	readonly dialogs: readonly DialogName[];
	readonly panes: PaneStates;
	readonly attention: Attention;
	/** When Escape was pressed once; twice interrupts the agent. */
	readonly escapedAt: number | null;
};

export type Pressed = { shell: Shell; wishes: readonly Wish[] };

export function startShell(world: World): Shell {
	return { view: 'feed', dialogs: [], panes: startPanes(world), attention: NO_ATTENTION, escapedAt: null };
}

export function press(shell: Shell, key: KeyPress, world: World, room: Room): Pressed {
	return noteEscape(shell, focusOf(shell), pressKey(shell, key, world, room), key, world);
}

function pressKey(shell: Shell, key: KeyPress, world: World, room: Room): Pressed {
	const name = focusOf(shell);
	const pane = paneFor(name, shell.panes);
	const action = actionFor(pane.keys, key.name);
	if (pane.takesText() && action === undefined && key.text !== '') return apply(shell, name, pane.type(key.text, world), world);
	if (action !== undefined) return apply(shell, name, pane.act(action, world, room), world);
	// Ctrl-C always quits; other keys belong to the text input.
	if (pane.takesText() && key.name !== 'ctrl+c') return { shell, wishes: [] };
	return pressGlobal(shell, actionFor(globalKeys(world), key.name), world);
}

export function focusOf(shell: Shell): ViewName | DialogName {
	return shell.dialogs.at(-1) ?? shell.view;
}

export function open(shell: Shell, place: Place | EventPlace, world: World): Shell {
	if (typeof place === 'object' && 'ask' in place) return openAsk(shell, place, world);
	if (typeof place === 'object') {
		return { ...shell, view: place.place, dialogs: [], panes: restartPane(place.place, shell.panes, world, place.event) };
	}
	if (place === 'back') {
		return shell.dialogs.length > 0 ? { ...shell, dialogs: shell.dialogs.slice(0, -1) } : { ...shell, view: 'feed' };
	}
	if (isView(place))
		return { ...shell, view: place, dialogs: [], panes: place === 'feed' ? shell.panes : restartPane(place, shell.panes, world) };
	// The palette closes when something is opened from it.
	const below = { ...shell, dialogs: shell.dialogs.filter((name) => name !== place && name !== 'palette') };
	return { ...below, dialogs: [...below.dialogs, place], panes: panesWith(place, below, world) };
}

/** Above the feed, in its context. */
function openAsk(shell: Shell, { place, ask: id }: AskPlace, world: World): Shell {
	const ask = world.asks.find((one) => one.id === id);
	const panes = restartPane('feed', shell.panes, world);
	const { now } = world;
	return {
		...shell,
		view: 'feed',
		dialogs: [place],
		panes:
			place === 'permission'
				? { ...panes, permission: showPermission(ask, now) }
				: { ...panes, question: showQuestion(ask, now) },
	};
}

function panesWith(place: DialogName, below: Shell, world: World): PaneStates {
	if (place !== 'help') return restartPane(place, below.panes, world);
	return { ...below.panes, help: helpFor(paneFor(focusOf(below), below.panes), globalKeys(world)) };
}

function isView(place: ViewName | DialogName): place is ViewName {
	return VIEWS.some((view) => view === place);
}

function apply(shell: Shell, name: ViewName | DialogName, step: Step<unknown>, world: World): Pressed {
	const next = { ...shell, panes: { ...shell.panes, [name]: step.state } };
	return { shell: step.go ? open(next, step.go, world) : next, wishes: step.wishes ?? [] };
}

function pressGlobal(shell: Shell, action: string | undefined, world: World): Pressed {
	const still = (next: Shell) => ({ shell: next, wishes: [] });
	switch (action) {
		case 'help':
		case 'palette':
		case 'search':
		case 'composer':
		case 'waiting':
		case 'runners':
			return still(open(shell, action, world));
		case 'next-view':
			return still(open(shell, neighbour(shell.view, 1, world), world));
		case 'previous-view':
			return still(open(shell, neighbour(shell.view, -1, world), world));
		case 'decide':
			return still(decide(shell, world));
		case 'quit':
			return { shell, wishes: [{ type: 'quit' }] };
		default:
			return still(shell);
	}
}

function decide(shell: Shell, world: World): Shell {
	const [ask] = world.asks;
	return ask ? open(shell, ask.kind, world) : shell;
}

function neighbour(view: ViewName, step: number, { runners }: World): ViewName {
	const views = VIEWS.filter((name) => name !== 'runners' || runners);
	return views.at((views.indexOf(view) + step) % views.length) ?? 'feed';
}

type Attention = {
	readonly shown: AskId | undefined;
	readonly focused: boolean;
	/** Hidden until the user opens a dialog. */
	readonly hidden: ReadonlySet<AskId>;
	readonly announced: ReadonlySet<AskId>;
	/** When the shown request was decided elsewhere: keys meant for it may still arrive. */
	readonly takenAt: number | null;
};

const NO_ATTENTION: Attention = {
	shown: undefined,
	focused: false,
	hidden: new Set(),
	announced: new Set(),
	takenAt: null,
};

const TWICE_MS = 1_000;

/** Where Escape twice interrupts the agent. */
const PLACES: ReadonlySet<ViewName | DialogName> = new Set(['feed', 'composer']);

/** Called after the key took effect. */
function noteEscape(before: Shell, place: ViewName | DialogName, pressed: Pressed, key: KeyPress, world: World): Pressed {
	const working = workingSession(world);
	if (key.name !== 'esc' || working === null || !PLACES.has(place)) return escaped(pressed, null);
	if (!isArmed(before, world.now)) return escaped(pressed, world.now);
	const { shell, wishes } = escaped(pressed, null);
	return { shell, wishes: [...wishes, { type: 'interrupt', id: working }] };
}

export function escapeNotice(shell: Shell, world: World): string {
	return isArmed(shell, world.now) && workingSession(world) !== null ? 'Press Esc again to interrupt the agent.' : '';
}

function escaped({ shell, wishes }: Pressed, escapedAt: number | null): Pressed {
	return { shell: shell.escapedAt === escapedAt ? shell : { ...shell, escapedAt }, wishes };
}

function isArmed({ escapedAt }: Shell, now: number): boolean {
	return escapedAt !== null && now - escapedAt <= TWICE_MS;
}

function workingSession({ open, driving }: World) {
	return open && driving?.takesPrompts && open.view.state.openRun !== undefined ? open.id : null;
}
