// The composer: writes a prompt to the agent of the open session, and edits queued ones.
import type { World } from '@roost/client/world/world';
import { plural } from '@roost/core/display/plural';
import type { QueuedPrompt } from '@roost/protocol/api/driving';
import type { PromptId, SessionId } from '@roost/protocol/ids';
import type { Binding } from '../keys/keymap.ts';
import { type Drawn, type Pane, type Room, type Step, stay } from '../pane.ts';
import { clampList, drawList, LIST_START, type ListState, moveInList } from '../parts/list.ts';
import { EDITING, EMPTY_FIELD, edit, fieldBox, fieldWith, insert, type TextField } from '../parts/text-field.ts';
import { wrapped } from '../parts/wrapped.ts';
import { type Row, row, span, unselectRow } from '../screen/row.ts';

export type ComposerState = {
	/** Why the session takes no prompts. */
	readonly refusal: string | null;
	readonly field: TextField;
	/** Sent prompts, oldest first. */
	readonly history: readonly string[];
	/** Index in the history; its length while a new prompt is written. */
	readonly at: number;
	/** The unsent text, while the history or a queued prompt is shown. */
	readonly draft: string;
	/** Selecting a queued prompt; null while writing. */
	readonly choosing: ListState | null;
	/** The queued prompt being edited. */
	readonly changing: PromptId | null;
	readonly problem: string;
};

const MOST_REMEMBERED = 100;
/** The whole field is drawn, so its size is limited. */
const LONGEST = 20_000;
const TOO_LONG = `A prompt has at most ${LONGEST} characters here.`;

const LEAVE: Binding = { keys: ['esc'], action: 'leave', help: 'back', hint: true };

const WRITING: readonly Binding[] = [
	{ keys: ['enter'], action: 'send', help: 'send it', hint: 'send' },
	{ keys: ['alt+enter', 'ctrl+j'], action: 'newline', help: 'a new line', hint: 'new line' },
	LEAVE,
	{ keys: ['up'], action: 'up', help: 'line up, or previous prompt', hint: 'history' },
	{ keys: ['down'], action: 'down', help: 'line down, or next prompt' },
	{ keys: ['tab'], action: 'choose', help: 'queued prompts, to edit or cancel', hint: 'queue' },
	...EDITING,
];

const CHOOSING: readonly Binding[] = [
	{ keys: ['down', 'j'], action: 'down', help: 'down' },
	{ keys: ['up', 'k'], action: 'up', help: 'up' },
	{ keys: ['enter', 'e'], action: 'change', help: 'edit it', hint: true },
	{ keys: ['n'], action: 'now', help: 'send it now, into the current run', hint: 'now' },
	{ keys: ['K', 'shift+up'], action: 'earlier', help: 'move up' },
	{ keys: ['J', 'shift+down'], action: 'later', help: 'move down' },
	{ keys: ['x', 'delete', 'backspace'], action: 'cancel', help: 'cancel it', hint: true },
	{ keys: ['esc', 'tab'], action: 'write', help: 'back to writing', hint: true },
];

export const composerPane: Pane<ComposerState> = {
	title: 'Prompt',
	keys({ refusal, choosing }) {
		if (refusal !== null) return [LEAVE];
		return choosing ? CHOOSING : WRITING;
	},
	start: (world) => ({
		refusal: refusalOf(world),
		field: EMPTY_FIELD,
		history: [],
		at: 0,
		draft: '',
		choosing: null,
		changing: null,
		problem: '',
	}),
	again: (before, world) => ({ ...before, refusal: refusalOf(world), choosing: null, problem: '' }),
	act,
	takesText: ({ refusal, choosing }) => refusal === null && choosing === null,
	type: (state, text) => stay(typed(state, text.replaceAll(/\r\n?/g, '\n'))),
	draw: drawComposer,
};

/** While it is unknown whether the session takes prompts, one can write but not send. */
function refusalOf({ open, driving }: World): string | null {
	if (!open) return 'No session is open: choose one with ":sessions".';
	return driving === null || driving.takesPrompts ? null : driving.why;
}

function typed(state: ComposerState, text: string): ComposerState {
	const field = insert(state.field, text);
	if (field.text.length > LONGEST) return { ...state, problem: TOO_LONG };
	return { ...state, field, problem: '' };
}

function act(state: ComposerState, action: string, world: World): Step<ComposerState> {
	if (action === 'leave') return leave(state);
	const { open } = world;
	if (!open || state.refusal !== null) return stay(state);
	return state.choosing ? choose(state, state.choosing, action, open.id, world) : write(state, action, open.id, world);
}

/** Leaves the edited prompt first, then the composer; the text is kept. */
function leave(state: ComposerState): Step<ComposerState> {
	return state.changing === null ? { state, go: 'back' } : stay({ ...unchanged(state), problem: '' });
}

function write(state: ComposerState, action: string, session: SessionId, world: World): Step<ComposerState> {
	switch (action) {
		case 'send':
			return send(state, session, world);
		case 'newline':
			return stay(typed(state, '\n'));
		case 'up':
			return stay(moved(state, -1));
		case 'down':
			return stay(moved(state, 1));
		case 'choose':
			return waitingIn(world).length > 0
				? stay({ ...unchanged(state), choosing: LIST_START, problem: '' })
				: stay({ ...state, problem: 'No queued prompts.' });
		default: {
			const field = edit(state.field, action);
			return stay(field ? { ...state, field, problem: '' } : state);
		}
	}
}

/** The text is kept in the history. */
function send(state: ComposerState, session: SessionId, world: World): Step<ComposerState> {
	const { text } = state.field;
	if (refusalOf(world) !== null) return stay({ ...state, refusal: refusalOf(world) });
	if (world.driving === null) return stay({ ...state, problem: NOT_SAID });
	if (text.trim() === '') return stay({ ...state, problem: 'Write something first.' });
	const history = [...state.history.filter((line) => line !== text), text].slice(-MOST_REMEMBERED);
	const kept = { ...state, history, at: history.length, problem: '' };
	if (state.changing === null)
		return { state: { ...kept, field: EMPTY_FIELD, draft: '' }, wishes: [{ type: 'prompt', id: session, text }], go: 'back' };
	return { state: unchanged(kept), wishes: [{ type: 'edit-queued', id: session, prompt: state.changing, text }] };
}

const NOT_SAID = 'It is not known yet whether this session takes prompts. Retry in a moment.';

function unchanged(state: ComposerState): ComposerState {
	return state.changing === null ? state : { ...state, changing: null, field: fieldWith(state.draft), draft: '' };
}

function moved(state: ComposerState, step: 1 | -1): ComposerState {
	const field = moveLine(state.field, step);
	if (field) return { ...state, field };
	const at = Math.max(0, Math.min(state.at + step, state.history.length));
	// The history is not used while a queued prompt is edited.
	if (at === state.at || state.changing !== null) return state;
	const draft = state.at === state.history.length ? state.field.text : state.draft;
	return { ...state, at, draft, field: fieldWith(state.history[at] ?? draft), problem: '' };
}

function choose(state: ComposerState, list: ListState, action: string, session: SessionId, world: World): Step<ComposerState> {
	const waiting = waitingIn(world);
	const { selected } = clampList(list, waiting.length, QUEUE_ROWS);
	const chosen = waiting[selected];
	if (action === 'write' || !chosen) return stay({ ...state, choosing: null });
	switch (action) {
		case 'change':
			if (chosen.text.length > LONGEST) return stay({ ...state, choosing: null, problem: TOO_LONG });
			return stay({ ...state, choosing: null, changing: chosen.id, draft: state.field.text, field: fieldWith(chosen.text) });
		case 'cancel':
			return { state, wishes: [{ type: 'cancel-queued', id: session, prompt: chosen.id }] };
		case 'now':
			return { state, wishes: [{ type: 'send-now', id: session, prompt: chosen.id }] };
		case 'earlier':
		case 'later': {
			const to = selected + (action === 'earlier' ? -1 : 1);
			if (to < 0 || to >= waiting.length) return stay(state);
			const choosing = moveInList(list, action === 'earlier' ? 'up' : 'down', waiting.length, QUEUE_ROWS);
			return { state: { ...state, choosing }, wishes: [{ type: 'move-queued', id: session, prompt: chosen.id, to }] };
		}
		default:
			return stay({ ...state, choosing: moveInList(list, action, waiting.length, QUEUE_ROWS) });
	}
}

export function moveLine(field: TextField, step: 1 | -1): TextField | null {
	const { text, cursor } = field;
	const start = lineStart(text, cursor);
	const column = cursor - start;
	const from = step < 0 ? lineStart(text, start - 1) : text.indexOf('\n', cursor) + 1;
	if (step < 0 ? start === 0 : from === 0) return null;
	const end = text.indexOf('\n', from);
	const line = text.slice(from, end < 0 ? text.length : end);
	return { text, cursor: from + atCharacter(line, column) };
}

/** `lastIndexOf` would find a newline at the very start. */
function lineStart(text: string, at: number): number {
	return text.slice(0, Math.max(0, at)).lastIndexOf('\n') + 1;
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

function atCharacter(line: string, column: number): number {
	return graphemes.segment(line).containing(column)?.index ?? line.length;
}

const QUEUE_ROWS = 5;
const MARGIN = 1;
const LONGEST_ROW = 1_000;

function waitingIn({ open, queues }: World): readonly QueuedPrompt[] {
	return (open && queues.get(open.id)) ?? [];
}

function drawComposer(state: ComposerState, world: World, room: Room): Drawn {
	if (state.refusal !== null) return { rows: sentence(state.refusal, room) };
	const above = [...queueRows(state, world, room), ...headRow(state, world)];
	const below = state.problem === '' ? [] : [row(span(` ${state.problem}`, 'warn'))];
	const box = fieldBox(state.field, room.height - above.length - below.length, room);
	const cursor = { ...box.cursor, line: box.cursor.line + above.length };
	return { rows: [...above, ...box.rows, ...below], ...(state.choosing ? {} : { cursor }) };
}

function sentence(text: string, { width }: Room): Row[] {
	return [...wrapped(text, width - 2 * MARGIN)].map((line) => row(' ', ...line));
}

/** Nothing is selected while writing. */
function queueRows({ choosing, changing }: ComposerState, world: World, room: Room): Row[] {
	const waiting = waitingIn(world);
	if (waiting.length === 0) return [];
	const list = clampList(choosing ?? LIST_START, waiting.length, QUEUE_ROWS);
	const rows = drawList(list, waiting, QUEUE_ROWS, (prompt) => queueRow(prompt, prompt.id === changing, room));
	return [row(span(` ${plural(waiting.length, 'queued prompt')}:`, 'faint')), ...(choosing ? rows : rows.map(unselectRow))];
}

function queueRow({ text }: QueuedPrompt, isChanging: boolean, { styles }: Room): Row {
	const words = text.slice(0, LONGEST_ROW).trim().replaceAll(/\s+/g, ' ');
	return row(span(` ${styles.glyphs.prompt} `, 'accent'), span(words, isChanging ? 'faint' : undefined));
}

function headRow({ changing }: ComposerState, world: World): Row[] {
	if (changing !== null) {
		const waits = waitingIn(world).some(({ id }) => id === changing);
		return [row(span(waits ? ' Edit the queued prompt: Enter saves, Esc cancels.' : GONE, waits ? 'faint' : 'warn'))];
	}
	const isNews = world.open?.view.state.openRun !== undefined && waitingIn(world).length === 0;
	return isNews ? [row(span(' The agent is busy: prompts are queued.', 'faint'))] : [];
}

const GONE = ' Already sent or cancelled. Press Esc.';
