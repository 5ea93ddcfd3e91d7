// The title of a request; apart from other words, because it brings the titles of all events along.
import type { AskRow } from '@roost/protocol/ask';
import { questionsOf } from '../answers/ask-questions.ts';
import { titleOf } from '../feed/title.ts';

export function askTitle(row: Pick<AskRow, 'kind' | 'tool' | 'input'>): string {
	const questions = row.kind === 'question' ? questionsOf(row) : [];
	if (questions.length > 0) return titleOf('question.request', { questions: [...questions] });
	return titleOf('tool.pre', { tool_name: row.tool, tool_input: row.input });
}
