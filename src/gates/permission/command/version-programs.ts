/**
 * Programs whose `--version` runs nothing that stands in the folder. Not among them, since files of the folder choose what
 * runs: yarn, pnpm, cargo, rustc, go, dotnet, gradle, mvn, bazel, composer, bundle, hg and whatever prefers a local copy.
 */
export const VERSION_PROGRAMS: ReadonlySet<string> = new Set(
  `ar as awk bash bat bc bison brotli bun bzip2 cat ccache chmod chown clang clang++ clang-format clang-tidy cmake cmp comm cp
  csplit curl cut dash date dd deno df diff diff3 dig docker dot du ed emacs env fd ffmpeg ffprobe file find fish flex fmt fzf
  g++ gawk gcc gdb gfortran gh git gpg grep groff gzip head htop iconv install jar java javac jq kill ld less ln locale ls lsof
  lua luajit m4 make man md5sum mkdir mktemp more mv mysql nano nasm nice nl nm node nodejs nohup npm nproc objdump od openssl
  paste patch perl php pip pip3 pkg-config podman protoc ps psql pwd python python3 readelf readlink realpath redis-cli rg rm
  rmdir rsync ruby sed seq sh sha1sum sha256sum shellcheck sleep sort sqlite3 stat strace strings strip su sudo svn sync tac tail
  tar tee time timeout tmux touch tr tree tsort uname uniq unzip uv valgrind vi vim wc wget which xargs xz yq zip zsh
  zstd`.split(/\s+/),
)
