// JSON that may be none: undefined then, and also where it is nested too deeply.
import { parseBoundedJson } from '../hooks/bounded-json.ts';

export function parseJson(text: string): unknown {
	const parsed = parseBoundedJson(text);
	return parsed.ok ? parsed.value : undefined;
}
