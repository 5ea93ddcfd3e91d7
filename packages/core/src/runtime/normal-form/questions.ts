// The questions inside an AskUserQuestion call.
import type { ToolInput } from '@roost/protocol/feed/base';
import type { Question } from '@roost/protocol/feed/decisions';
import { z } from 'zod';

export const QUESTION_TOOL = 'AskUserQuestion';

const optionalText = z.string().nullish();

const questions = z
	.array(
		z.looseObject({
			question: z.string(),
			header: optionalText,
			multiSelect: z.boolean().nullish(),
			options: z.array(z.looseObject({ label: z.string(), description: optionalText })).nullish(),
		}),
	)
	.min(1);

/** Null when the input holds no readable questions. */
export function parseQuestions(input: ToolInput): Question[] | null {
	const parsed = questions.safeParse(input.questions);
	if (!parsed.success) return null;
	return parsed.data.map((asked) => ({
		question: asked.question,
		header: asked.header ?? undefined,
		multi_select: asked.multiSelect ?? false,
		options: (asked.options ?? []).map(({ label, description }) => ({ label, description: description ?? undefined })),
	}));
}
