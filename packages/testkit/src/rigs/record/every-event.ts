// Events of every kind of the protocol, in every allowed form, with one text in every text field.
import { type FeedEvent, feedEvent } from '@roost/protocol/feed/event';

/** How many of each kind are made, so that each value of an enumeration occurs. */
const ROUNDS = 5;

const SCHEMAS = feedEvent.options.map((option) => option.toJSONSchema({ io: 'input' }));

export function everyEvent(text: string, rounds = ROUNDS): FeedEvent[] {
	const made = SCHEMAS.flatMap((schema) =>
		Array.from({ length: rounds }, (_, round) => variantsOf(schema, { text: text || 'x', round })).flat(),
	);
	return made.map((event, index) => feedEvent.parse({ ...Object(event), event_id: `s1:R1:E${index + 1}`, ts: index }));
}

type Making = { text: string; round: number };
type Schema = Readonly<Record<string, unknown>>;

/** Every alternative of a union, once. */
function variantsOf(schema: Schema, making: Making): unknown[] {
	const alternatives = schema.oneOf ?? schema.anyOf;
	if (Array.isArray(alternatives)) return alternatives.flatMap((one) => variantsOf(Object(one), making));
	if (!isObject(schema.properties)) return [makeValue(schema, making)];
	let made: object[] = [{}];
	for (const [name, field] of Object.entries(schema.properties)) {
		const values = variantsOf(Object(field), making);
		made = made.flatMap((object) => values.map((value) => ({ ...object, [name]: value })));
	}
	return made;
}

function makeValue(schema: Schema, making: Making): unknown {
	if (schema.const !== undefined) return schema.const;
	if (Array.isArray(schema.enum)) return schema.enum[making.round % schema.enum.length];
	switch (schema.type) {
		case 'string':
			return making.text;
		case 'number':
		case 'integer':
			return 7;
		case 'boolean':
			return making.round % 2 === 0;
		case 'array':
			return [variantsOf(Object(schema.items), making), variantsOf(Object(schema.items), making)].flat();
		case 'object':
			return { [making.text]: anyValue(Object(schema.additionalProperties), making) };
		default:
			return { [making.text]: making.text, list: [making.text, 1, null] };
	}
}

function anyValue(schema: Schema, making: Making): unknown {
	return variantsOf(schema, making)[0];
}

function isObject(value: unknown): value is object {
	return typeof value === 'object' && value !== null;
}
