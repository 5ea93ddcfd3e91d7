// When a background task ends, Claude prompts itself. It reports that like a person's prompt, and only the text tells them apart.
import { type JsonObject, stringAt } from '../../json-object.ts';

export type TaskNotification = {
	/** One sentence for people, and below it all that Claude told itself. */
	message: string;
	/** The call that started the task. */
	tool_use_id?: string;
};

const OPENS = '<task-notification>';
const CLOSES = '</task-notification>';

/** Null for what somebody wrote. */
export function readTaskNotification(prompt: string): TaskNotification | null {
	const text = prompt.trim();
	if (!text.startsWith(OPENS) || !text.endsWith(CLOSES)) return null;
	const summary = fieldIn(text, 'summary');
	if (fieldIn(text, 'task-id') === undefined || summary === undefined) return null;
	return { message: `${summary}\n\n${text}`, tool_use_id: fieldIn(text, 'tool-use-id') };
}

function fieldIn(text: string, name: string): string | undefined {
	const start = text.indexOf(`<${name}>`);
	const end = text.indexOf(`</${name}>`, start);
	const value = start < 0 || end < 0 ? '' : text.slice(start + name.length + 2, end).trim();
	return value === '' ? undefined : value;
}

/** Not every prompt was written by somebody. */
export function withAuthor(payload: JsonObject): JsonObject {
	const task_notification = readTaskNotification(stringAt(payload, 'prompt') ?? '');
	return task_notification ? { ...payload, task_notification } : payload;
}
