import { GIT_LOOKS } from './git-look-table.js'
import type { LookSpec } from './look-spec.js'

const FIND_WORDS = `-true -false -print -print0 -ls -prune -depth -xdev -mount -empty -not -a -o -and -or -quit -readable
  -writable -executable -nouser -nogroup ! ( ) ,`
const FIND_VALUES = `-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -size -mtime -mmin
  -atime -amin -ctime -cmin -perm -user -group -uid -gid -links -inum -maxdepth -mindepth -printf -newermt -lname -ilname`

/** The commands that only look, by name; those of git by subcommand. */
export const LOOKS: Readonly<Record<string, LookSpec>> = {
  ...GIT_LOOKS,
  basename: { flags: 'az', values: 's', long: 'multiple zero', longValues: 'suffix', operands: 'text' },
  cat: {
    flags: 'AbeEnstTuv',
    long: 'show-all number number-nonblank show-ends squeeze-blank show-tabs',
    operands: 'paths',
  },
  cmp: {
    flags: 'bls',
    counts: 'in',
    long: 'print-bytes verbose silent quiet',
    longValues: 'bytes ignore-initial',
    operands: 'paths',
  },
  cut: {
    flags: 'nsz',
    values: 'bcdf',
    long: 'complement only-delimited zero-terminated',
    longValues: 'bytes characters delimiter fields output-delimiter',
    operands: 'paths',
  },
  diff: {
    flags: 'abBdeEicnNpqrstTuwyZ',
    values: 'IxF',
    counts: 'CUW',
    long: 'brief unified context side-by-side recursive new-file ignore-case ignore-all-space ignore-space-change ignore-blank-lines text minimal color report-identical-files suppress-common-lines strip-trailing-cr',
    longValues: 'exclude ignore-matching-lines width label',
    operands: 'paths',
    recurses: {},
  },
  dirname: { flags: 'z', long: 'zero', operands: 'text' },
  du: {
    flags: '0abchHklmsSx',
    counts: 'dt',
    long: 'all apparent-size bytes total summarize human-readable one-file-system separate-dirs',
    longValues: 'max-depth threshold exclude',
    operands: 'paths',
  },
  echo: { anyText: true, operands: 'text' },
  false: { anyText: true, operands: 'text' },
  file: { flags: 'bhikLNprz0', long: 'brief mime mime-type mime-encoding no-pad', operands: 'paths' },
  find: {
    words: Object.fromEntries([
      ...FIND_WORDS.split(/\s+/).map(name => [name, false] as const),
      ...FIND_VALUES.split(/\s+/).map(name => [name, true] as const),
    ]),
    operands: 'paths',
  },
  grep: {
    flags: 'abcEFGHhiILlnoPqrsTUvwxyzZ',
    values: 'e',
    counts: 'ABCm',
    files: 'f',
    numbers: true,
    long: 'extended-regexp fixed-strings basic-regexp perl-regexp ignore-case no-ignore-case invert-match word-regexp line-regexp count color colour files-with-matches files-without-match only-matching quiet silent no-messages byte-offset with-filename no-filename line-number initial-tab null text binary recursive',
    longValues: 'regexp max-count after-context before-context context include exclude exclude-dir binary-files label',
    longFiles: 'file',
    operands: 'pattern',
    patternBy: 'e f regexp file',
    recurses: { by: 'r recursive' },
  },
  head: {
    flags: 'qvz',
    counts: 'nc',
    numbers: true,
    long: 'quiet silent verbose zero-terminated',
    longValues: 'lines bytes',
    operands: 'paths',
  },
  ls: {
    flags: '1aAbBcCdfFgGhHiklmnNopqQrRsStuUvxXZ',
    long: 'all almost-all author escape ignore-backups color directory dired classify full-time group-directories-first no-group human-readable si inode numeric-uid-gid quote-name reverse recursive size zero format sort time time-style indicator-style file-type literal',
    longValues: 'ignore hide width',
    operands: 'paths',
  },
  printf: { operands: 'text' },
  pwd: { flags: 'LP', operands: 'none' },
  realpath: {
    flags: 'eLmPqsz',
    long: 'canonicalize-existing canonicalize-missing logical physical quiet no-symlinks strip zero',
    longFiles: 'relative-to relative-base',
    operands: 'paths',
  },
  rg: {
    flags: 'acFHhIilNnoPpqSsUvwx0',
    values: 'eEgrtT',
    counts: 'ABCmMj',
    files: 'f',
    long: 'fixed-strings ignore-case smart-case case-sensitive invert-match word-regexp line-regexp count count-matches files files-with-matches files-without-match only-matching quiet line-number no-line-number with-filename no-filename heading no-heading column color pcre2 multiline multiline-dotall json stats trim vimgrep pretty text type-list no-messages null',
    longValues:
      'after-context before-context context max-count max-columns max-depth glob iglob type type-not replace regexp threads encoding max-filesize sort sortr',
    longFiles: 'file',
    operands: 'pattern',
    patternBy: 'e f regexp file files type-list',
    recurses: { hiddenBy: 'g glob iglob' },
  },
  sort: {
    flags: 'bcCdfghiMmnrRsuVz',
    values: 'kt',
    long: 'ignore-leading-blanks dictionary-order ignore-case general-numeric-sort human-numeric-sort ignore-nonprinting month-sort numeric-sort random-sort reverse stable unique version-sort zero-terminated check merge',
    longValues: 'key field-separator sort',
    operands: 'paths',
  },
  stat: {
    flags: 'fLtx',
    values: 'c',
    long: 'dereference file-system terse printf',
    longValues: 'format',
    operands: 'paths',
  },
  tail: {
    flags: 'qvz',
    counts: 'nc',
    numbers: true,
    long: 'quiet silent verbose zero-terminated',
    longValues: 'lines bytes',
    operands: 'paths',
  },
  tree: {
    flags: 'acdDfFghiNnpQrstuUvx',
    values: 'IP',
    counts: 'L',
    long: 'noreport dirsfirst filesfirst du si prune matchdirs ignore-case gitignore inodes device sort charset',
    longValues: 'filelimit timefmt',
    operands: 'paths',
  },
  true: { anyText: true, operands: 'text' },
  uniq: {
    flags: 'cdDiuz',
    counts: 'fsw',
    long: 'count repeated all-repeated ignore-case unique zero-terminated group',
    longValues: 'skip-fields skip-chars check-chars',
    operands: 'paths',
    maxOperands: 1,
  },
  wc: { flags: 'cmlLw', long: 'bytes chars lines max-line-length words total', operands: 'paths' },
  which: { flags: 'as', long: 'all', operands: 'text' },
}
