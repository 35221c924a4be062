export { paramLabel, paramWords } from '../../composables/param-words.ts';
