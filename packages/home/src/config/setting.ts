// The description of one key of config.yaml, kept with its schema, so that help and docs match the code.
import { z } from 'zod';

export type SettingNotes = {
	does: string;
	/** The environment variable that overrides it. */
	variable?: string;
	/** Its value is never printed. */
	isSecret?: boolean;
};

export type Setting = SettingNotes & {
	/** As in `runner.port`; `<id>` stands for any name. */
	path: readonly string[];
	/** In words, as in errors. */
	allowed: () => string;
	fallback: unknown;
	isNumber: boolean;
};

const notes = z.registry<SettingNotes>();

export function setting<S extends z.ZodType>(schema: S, does: string, more: Omit<SettingNotes, 'does'> = {}): S {
	notes.add(schema, { does, ...more });
	return schema;
}

/** Every key, in the order of the schema. */
export function listSettings(schema: z.core.$ZodType, path: readonly string[] = []): Setting[] {
	const known = notes.get(schema);
	if (known) return [{ ...known, path, allowed: () => allowedBy(schema), ...defaultOf(schema) }];
	if (schema instanceof z.ZodPipe) return listSettings(schema.def.out, path);
	if (schema instanceof z.ZodDefault) return listSettings(schema.def.innerType, path);
	if (schema instanceof z.ZodRecord) return listSettings(schema.def.valueType, [...path, ANY_NAME]);
	if (schema instanceof z.ZodObject)
		return Object.entries(schema.shape).flatMap(([key, below]) => listSettings(below as z.core.$ZodType, [...path, key]));
	throw new Error(`${path.join('.')} of the configuration has no description`);
}

export const ANY_NAME = '<id>';

/** The message of an error names the allowed values, so a value that is never allowed produces it. */
function allowedBy(schema: z.core.$ZodType): string {
	return z.safeParse(schema, Symbol('never allowed')).error?.issues[0]?.message ?? '';
}

function defaultOf(schema: z.core.$ZodType): Pick<Setting, 'fallback' | 'isNumber'> {
	const fallback = schema instanceof z.ZodDefault ? schema.def.defaultValue : undefined;
	return { fallback, isNumber: typeof fallback === 'number' };
}
