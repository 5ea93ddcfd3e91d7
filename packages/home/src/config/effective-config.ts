// The effective configuration: each key with its value and source. Secrets are never shown, only that they are set.
import { ok, type Result } from '@roost/protocol/result';
import { type ConfigInputs, type Loaded, loadWithSources, valueAt } from './load-config.ts';
import { ANY_NAME, type Setting } from './setting.ts';

export type EffectiveConfig = {
	file: { path: string; exists: boolean };
	settings: EffectiveSetting[];
};

export type EffectiveSetting = {
	key: string;
	/** Null if it is not set and has no default. */
	value: unknown;
	source: 'default' | 'file' | 'environment' | 'flag';
	/** The file, the variable or the flag; null for a default. */
	from: string | null;
};

export function readEffectiveConfig(inputs: ConfigInputs): Result<EffectiveConfig> {
	const loaded = loadWithSources(inputs);
	if (!loaded.ok) return loaded;
	const { file, content, settings } = loaded.value;
	return ok({
		file: { path: file, exists: content !== null },
		settings: settings.flatMap((setting) =>
			pathsOf(setting, content).map((path) => toEffective(path, setting.isSecret === true, loaded.value)),
		),
	});
}

/** A key below a name is listed once for each such name in the file. */
function pathsOf({ path }: Setting, content: unknown): (readonly string[])[] {
	const at = path.indexOf(ANY_NAME);
	if (at < 0) return [path];
	const [above, below] = [path.slice(0, at), path.slice(at + 1)];
	const named = Object.keys(Object(valueAt(content, above)));
	return named.map((name) => [...above, name, ...below]).filter((each) => valueAt(content, each) !== undefined);
}

function toEffective(path: readonly string[], isSecret: boolean, { config, file, content, overrides }: Loaded): EffectiveSetting {
	const key = path.join('.');
	const found = valueAt(config, path) ?? null;
	const value = isSecret ? hide(found) : found;
	const override = overrides.get(key);
	if (override) return { key, value, source: override.source, from: override.name };
	if (valueAt(content, path) === undefined) return { key, value, source: 'default', from: null };
	return { key, value, source: 'file', from: file };
}

const HIDDEN = 'set';

/** Shows the keys of a map. */
function hide(value: unknown): unknown {
	if (typeof value !== 'object') return HIDDEN;
	return value && Object.fromEntries(Object.keys(value).map((name) => [name, HIDDEN]));
}
