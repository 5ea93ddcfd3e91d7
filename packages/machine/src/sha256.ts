// SHA-256 of a text, in hexadecimal.
import { hash } from 'node:crypto';

export const sha256 = (text: string): string => hash('sha256', text);
