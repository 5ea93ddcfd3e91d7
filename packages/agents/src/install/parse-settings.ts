// Reads the text of a settings file, or says in one sentence why it cannot be edited.
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { isJsonObject, type JsonObject } from '../base/json-object.ts';
import { parseBoundedJson } from '../hooks/bounded-json.ts';
import { SETTINGS_PATH } from './settings-path.ts';

export function parseSettings(text: string, path = SETTINGS_PATH): Result<JsonObject> {
	const parsed = parseBoundedJson(text);
	if (!parsed.ok) return err(new AppError('corrupt', `${path} was left as it is: ${parsed.error.message}; fix it and retry`));
	if (!isJsonObject(parsed.value))
		return err(new AppError('corrupt', `${path} was left as it is: it holds no JSON object; fix it and retry`));
	return ok(parsed.value);
}
