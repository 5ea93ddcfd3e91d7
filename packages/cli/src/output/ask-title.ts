// What an ask is about, in one line.

import { questionsOf } from '@roost/core/answers/ask-questions';
import { titleOf } from '@roost/core/feed/title';
import type { AskRow } from '@roost/protocol/ask';

/** The same words as in the feed, so that a person recognises it. */
export function askTitle(row: Pick<AskRow, 'kind' | 'tool' | 'input'>): string {
	const questions = row.kind === 'question' ? questionsOf(row) : [];
	if (questions.length > 0) return titleOf('question.request', { questions: [...questions] }).replace(/^\? /, '');
	return titleOf('tool.pre', { tool_name: row.tool, tool_input: row.input }).replace(/^● /, '');
}
