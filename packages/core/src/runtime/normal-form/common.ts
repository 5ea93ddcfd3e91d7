// What every payload of the normal form has, and how lenient its schemas are.
import { z } from 'zod';

/** Agents send null where they mean nothing. */
export const optionalText = z.string().nullish();

const common = z.looseObject({
	hook_event_name: optionalText,
	session_id: optionalText,
	transcript_path: optionalText,
	cwd: optionalText,
	prompt_id: optionalText,
	permission_mode: optionalText,
	agent_id: optionalText,
	agent_type: optionalText,
});

/** Unknown fields pass: a newer agent must not become unreadable. */
export function hookPayload<S extends z.ZodRawShape>(shape: S) {
	return common.extend(shape);
}
