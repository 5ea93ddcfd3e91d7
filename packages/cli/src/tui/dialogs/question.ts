// Question.
import { type Pane, stay } from '../pane.ts';
import { row } from '../screen/row.ts';

export type QuestionState = { readonly at: number };

export const questionPane: Pane<QuestionState> = {
	title: 'Question',
	keys: [{ keys: ['esc'], action: 'back', help: 'back', hint: true }],
	start: () => ({ at: 0 }),
	act: (state, action) => (action === 'back' ? { state, go: 'back' } : stay(state)),
	draw: () => ({ rows: [row('Question')] }),
};
