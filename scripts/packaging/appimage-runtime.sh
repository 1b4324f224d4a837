#!/bin/sh
# Replaces the AppImage runtime in test builds. It mounts with Debian's squashfuse, or unpacks with unsquashfs without
# FUSE. This script, padded with zeros to 8192 bytes, precedes the file system.
APPIMAGE=$(readlink -f "$0")
ARGV0=$0
folder=$(mktemp -d "${TMPDIR:-/tmp}/.mount_indexwatch.XXXXXX") || exit 1
if [ -z "$APPIMAGE_EXTRACT_AND_RUN" ] && squashfuse -o ro,offset=8192 "$APPIMAGE" "$folder" 2>/dev/null; then
  APPDIR=$folder
  end() { fusermount3 -uz "$folder" 2>/dev/null || fusermount -uz "$folder"; rmdir "$folder"; }
else
  APPDIR=$folder/root
  unsquashfs -no-progress -quiet -offset 8192 -dest "$APPDIR" "$APPIMAGE" >/dev/null || exit 127
  end() { rm -rf "$folder"; }
fi
export APPIMAGE APPDIR ARGV0
trap 'kill "$child" 2>/dev/null' HUP INT TERM
"$APPDIR/AppRun" "$@" &
child=$!
wait "$child"
code=$?
kill -0 "$child" 2>/dev/null && { wait "$child"; code=$?; }
end
exit "$code"
