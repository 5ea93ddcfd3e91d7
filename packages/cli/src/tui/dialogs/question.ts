// The question dialog: one question at a time, and a summary before sending.
import type { World } from '@roost/client/world/world';
import { questionsOf, SUMMARY_CHOICES } from '@roost/core/answers/ask-questions';
import { MAX_EDITED } from '@roost/core/answers/edit-input';
import { answersTo, countPlaces, nonePlace, ownPlace, type Picks, pick, pickOwn } from '@roost/core/answers/question-picks';
import type { AskRow } from '@roost/protocol/ask';
import type { Binding } from '../keys/keymap.ts';
import { type Pane, type Room, type Step, stay } from '../pane.ts';
import { EDITING, edit, insert, type TextField } from '../parts/text-field.ts';
import { askOnScreen, type OnScreen, whenReady } from './ask-parts.ts';
import { NO_PICKS, type PicksWithField, toPicks } from './question-picks.ts';
import { drawQuestion, pageShape, scrollToShow } from './question-rows.ts';

export type QuestionState = OnScreen & {
	/** The page after the last question is the summary. */
	readonly page: number;
	readonly marked: number;
	readonly picks: readonly PicksWithField[];
	readonly writing: boolean;
	readonly scroll: number;
};

export const questionPane: Pane<QuestionState> = {
	title: 'Question',
	keys: ({ writing }) => (writing ? WRITING : CHOOSING),
	start: (world) =>
		showQuestion(
			world.asks.find(({ kind }) => kind === 'question'),
			world.now,
		),
	takesText: ({ writing }) => writing,
	type: (state, text) => stay(changeOwn(state, (own) => insert(own, text.replaceAll(/\r\n?/g, '\n')))),
	act,
	draw: (state, world, room) => drawQuestion(state, askOnScreen(state, world), world, room),
};

export function showQuestion(ask: AskRow | undefined, now: number): QuestionState {
	const questions = ask ? questionsOf(ask) : [];
	return { ask: ask?.id, since: now, page: 0, marked: 0, picks: questions.map(() => NO_PICKS), writing: false, scroll: 0 };
}

const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

const CHOOSING: readonly Binding[] = [
	{ keys: ['enter'], action: 'choose', help: 'choose', hint: true },
	{ keys: ['space'], action: 'toggle', help: 'select several', hint: true },
	...DIGITS.map((digit) => ({ keys: [digit], action: `place:${digit}` })),
	{ keys: ['down', 'j'], action: 'down', help: 'next line' },
	{ keys: ['up', 'k'], action: 'up', help: 'previous line' },
	{ keys: ['right', 'tab', 'l'], action: 'next', help: 'next question' },
	{ keys: ['left', 'shift+tab', 'h'], action: 'previous', help: 'previous question' },
	{ keys: ['pgdn', 'ctrl+d', 'ctrl+f'], action: 'page-down', help: 'scroll down' },
	{ keys: ['pgup', 'ctrl+u', 'ctrl+b'], action: 'page-up', help: 'scroll up' },
	{ keys: ['wheel-down'], action: 'line-down' },
	{ keys: ['wheel-up'], action: 'line-up' },
	{ keys: ['esc'], action: 'hide', help: 'answer later', hint: true },
];

const WRITING: readonly Binding[] = [
	{ keys: ['enter'], action: 'written', help: 'use this answer', hint: true },
	{ keys: ['esc'], action: 'stop-writing', help: 'back to the options', hint: true },
	{ keys: ['alt+enter', 'ctrl+j'], action: 'newline', help: 'a new line' },
	...EDITING,
];

function act(state: QuestionState, action: string, world: World, room: Room): Step<QuestionState> {
	const ask = askOnScreen(state, world);
	if (action === 'hide' || !ask) return { state, go: 'back' };
	if (state.writing) return write(state, action, ask, world);
	const shape = pageShape(state, ask, world, room);
	switch (action) {
		case 'down':
			return stay(mark(state, state.marked + 1, ask, world, room));
		case 'up':
			return stay(mark(state, state.marked - 1, ask, world, room));
		case 'next':
			return stay(turnTo(state, state.page + 1, ask));
		case 'previous':
			return stay(turnTo(state, state.page - 1, ask));
		case 'page-down':
		case 'page-up':
		case 'line-down':
		case 'line-up': {
			const by = (action.startsWith('page') ? shape.height : 1) * (action.endsWith('down') ? 1 : -1);
			return stay({ ...state, scroll: Math.max(0, Math.min(state.scroll + by, shape.total - shape.height)) });
		}
		default:
			return whenReady(state, world, () => choose(state, action, ask, world, room));
	}
}

function choose(state: QuestionState, action: string, ask: AskRow, world: World, room: Room): Step<QuestionState> {
	const question = questionsOf(ask)[state.page];
	const place = action.startsWith('place:') ? Number(action.slice('place:'.length)) - 1 : state.marked;
	if (place >= countLines(state, ask)) return stay(state);
	const marked = mark(state, place, ask, world, room);
	// What was not visible is scrolled into view first.
	if (marked.scroll !== state.scroll) return stay(marked);
	if (!question) return action === 'toggle' ? stay(marked) : finish(marked, place, ask);
	const toggles = question.multi_select && action !== 'choose';
	const picks = picksOf(marked);
	const isMade = question.multi_select && !toggles && picks.chosen.size > 0 && place !== nonePlace(question);
	if (place === ownPlace(question) && !(isMade && picks.chosen.has(place))) return stay({ ...marked, writing: true });
	const picked = isMade ? marked : withChosen(marked, pick(picks.chosen, place, question));
	return toggles ? stay(picked) : goOn(picked, ask);
}

function goOn(state: QuestionState, ask: AskRow): Step<QuestionState> {
	return questionsOf(ask).length === 1 ? send(state, ask) : stay(turnTo(state, state.page + 1, ask));
}

function finish(state: QuestionState, place: number, ask: AskRow): Step<QuestionState> {
	if (questionsOf(ask).length === 0 || place === 2) return { state, wishes: [{ type: 'answer', ask, answers: {} }] };
	return place === 1 ? stay(turnTo(state, 0, ask)) : send(state, ask);
}

/** The dialog stays open until the runner reports the outcome. */
function send(state: QuestionState, ask: AskRow): Step<QuestionState> {
	return { state, wishes: [{ type: 'answer', ask, answers: answersTo(questionsOf(ask), state.picks.map(toPicks)) }] };
}

function write(state: QuestionState, action: string, ask: AskRow, world: World): Step<QuestionState> {
	switch (action) {
		case 'stop-writing':
			return stay({ ...state, writing: false });
		case 'newline':
			return stay(changeOwn(state, (own) => insert(own, '\n')));
		case 'written':
			return whenReady(state, world, () => written(state, ask));
		default:
			return stay(changeOwn(state, (own) => edit(own, action) ?? own));
	}
}

function written(state: QuestionState, ask: AskRow): Step<QuestionState> {
	const question = questionsOf(ask)[state.page];
	if (!question) return stay({ ...state, writing: false });
	const picked = withChosen({ ...state, writing: false }, pickOwn(toPicks(picksOf(state)), question));
	const isWritten = picksOf(picked).chosen.has(ownPlace(question));
	return isWritten && !question.multi_select ? goOn(picked, ask) : stay(picked);
}

function changeOwn(state: QuestionState, change: (own: TextField) => TextField): QuestionState {
	const own = change(picksOf(state).own);
	return own.text.length > MAX_EDITED ? state : withPicks(state, { ...picksOf(state), own });
}

function mark(state: QuestionState, wanted: number, ask: AskRow, world: World, room: Room): QuestionState {
	const marked = Math.max(0, Math.min(wanted, countLines(state, ask) - 1));
	return { ...state, marked, scroll: scrollToShow({ ...state, marked }, pageShape({ ...state, marked }, ask, world, room)) };
}

function countLines({ page }: QuestionState, ask: AskRow): number {
	const questions = questionsOf(ask);
	const question = questions[page];
	if (questions.length === 0) return 1;
	return question ? countPlaces(question) : SUMMARY_CHOICES.length;
}

/** Several questions have a summary page. */
function turnTo(state: QuestionState, wanted: number, ask: AskRow): QuestionState {
	const { length } = questionsOf(ask);
	const page = Math.max(0, Math.min(wanted, length > 1 ? length : 0));
	return page === state.page ? state : { ...state, page, marked: 0, scroll: 0 };
}

function picksOf({ picks, page }: QuestionState): PicksWithField {
	return picks[page] ?? NO_PICKS;
}

function withChosen(state: QuestionState, chosen: Picks['chosen']): QuestionState {
	return withPicks(state, { ...picksOf(state), chosen });
}

function withPicks(state: QuestionState, changed: PicksWithField): QuestionState {
	return { ...state, picks: state.picks.map((picks, index) => (index === state.page ? changed : picks)) };
}
