// When a background task ends, Claude prompts itself. It reports that like a person's prompt, and only the text tells them apart.
import { stringAt } from '../../base/json-object.ts';

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

/** What a prompt says of itself besides its text: not every prompt is written by a person. */
export function authorOf(hookName: string, payload: object): { task_notification?: TaskNotification } {
	const prompt = hookName === 'UserPromptSubmit' ? stringAt(payload, 'prompt') : undefined;
	const task_notification = prompt === undefined ? null : readTaskNotification(prompt);
	return task_notification ? { task_notification } : {};
}
