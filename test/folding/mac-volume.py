#!/usr/bin/python3
"""Case-insensitive, case-preserving volume over a directory, in user space: names are compared as APFS, HFS+ or FAT compare them.

    mac-volume.py BACKING MOUNTPOINT [--hfs | --fat]

APFS keeps the composition that a name was given in, and compares names without regard to case and composition. HFS+ stores and
lists decomposed names (TN1150), and passes over characters that do not show. FAT (and exFAT, NTFS and CIFS, as far as each goes) drops
dots and blanks at the end, finds an entry by a short name too that it does not list, and has a table of cases for the letters of the
first plane alone. All keep the case. Nothing is cached, neither here
by the kernel nor in a name's own inode: every spelling of a name is the same file, with the same st_ino.

Finder's lock (UF_IMMUTABLE) has no place in the interface: the sticky bit of a regular file stands for it, and is not shown.
chmod 1644 locks, chmod 4644 unlocks; in between, writing, renaming, removing and chmod of the file are EPERM.

Needs Debian's python3-fusepy, and /dev/fuse.
"""
import errno
import os
import stat
import sys
import unicodedata

try:
    from fusepy import FUSE, FuseOSError, Operations
except ImportError:
    from fuse import FUSE, FuseOSError, Operations

IS_HFS = "--hfs" in sys.argv
IS_FAT = "--fat" in sys.argv
LOCK, UNLOCK = stat.S_ISVTX, stat.S_ISUID
# Default_Ignorable_Code_Point, as far as HFS+ passes over them (CVE-2014-9390).
IGNORED = dict.fromkeys([0xAD, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2060, 0x2065), *range(0x206A, 0x2070), 0xFEFF])


def text_of(name):
    return name.decode("utf-8", "surrogateescape")


def key_of(name):
    """The form in which two names are compared."""
    text = text_of(name)
    if IS_FAT:
        return "".join(upper if ord(each) < 0x10000 and len(upper := each.upper()) == 1 else each for each in dropped(text))
    if IS_HFS:
        text = text.translate(IGNORED)
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", text).casefold())


def dropped(text):
    """A name without what FAT drops at its end; `.` and `..` are no names here."""
    return text.rstrip(". ") or text


def short_of(name):
    """The short name of a long one, as FAT gives it to the first of its kind; None where the name is one itself."""
    text = text_of(name).upper()
    base, _, extension = text.lstrip(".").rpartition(".") if "." in text.lstrip(".") else (text.lstrip("."), "", "")
    if not text.startswith(".") and len(base) <= 8 and len(extension) <= 3 and "." not in base:
        return None
    return base.replace(" ", "").replace(".", "")[:6] + "~1" + ("." + extension[:3] if extension else "")


def stored(name):
    """The form in which a new name is stored."""
    if IS_FAT:
        return dropped(text_of(name)).encode("utf-8", "surrogateescape")
    return unicodedata.normalize("NFD", text_of(name)).encode("utf-8", "surrogateescape") if IS_HFS else name


class MacVolume(Operations):
    use_ns = True
    # A file that is open and has no name any more is known by its handle alone.
    flag_nullpath_ok = True

    def __init__(self, backing):
        self.backing = os.fsencode(backing)
        # Names of a directory by their keys, by the directory's path in the backing; dropped whole where it changes.
        self.names = {}

    def __call__(self, op, *args):
        # Paths arrive as latin-1 (see FUSE below): they are bytes here.
        return super().__call__(op, *(arg.encode("latin-1") if isinstance(arg, str) else arg for arg in args))

    def listed(self, directory):
        if directory not in self.names:
            names = os.listdir(directory)
            shorts = {short_of(name): name for name in names} if IS_FAT else {}
            self.names[directory] = {**shorts, **{key_of(name): name for name in names}}
        return self.names[directory]

    def at(self, path):
        """Path in the backing: of what is there under any spelling, or of the name to be made."""
        here = self.backing
        for name in path.split(b"/"):
            if name == b"":
                continue
            if IS_FAT and len(name) > 255:
                raise FuseOSError(errno.ENAMETOOLONG)
            try:
                found = self.listed(here).get(key_of(name))
            except NotADirectoryError:
                raise FuseOSError(errno.ENOTDIR)
            here = os.path.join(here, stored(name) if found is None else found)
        return here

    def changed(self, *paths):
        for path in paths:
            self.names.pop(os.path.dirname(path), None)
            for below in [each for each in self.names if each == path or each.startswith(path + b"/")]:
                del self.names[below]

    def check(self, path):
        """Throws EPERM for a locked file."""
        try:
            mode = os.lstat(path).st_mode
        except FileNotFoundError:
            return
        if stat.S_ISREG(mode) and mode & LOCK:
            raise FuseOSError(errno.EPERM)

    def getattr(self, path, fh=None):
        found = os.fstat(fh) if fh else os.lstat(self.at(path))
        mode = found.st_mode & ~LOCK if stat.S_ISREG(found.st_mode) else found.st_mode
        return {
            "st_ino": found.st_ino, "st_mode": mode, "st_nlink": found.st_nlink, "st_size": found.st_size,
            "st_uid": found.st_uid, "st_gid": found.st_gid, "st_rdev": found.st_rdev, "st_blocks": found.st_blocks,
            "st_atime": found.st_atime_ns, "st_mtime": found.st_mtime_ns, "st_ctime": found.st_ctime_ns,
        }

    def access(self, path, amode):
        at = self.at(path)
        if amode & os.W_OK:
            self.check(at)
        if not os.access(at, amode, follow_symlinks=False) and not os.path.islink(at):
            raise FuseOSError(errno.EACCES)

    def opendir(self, path):
        return os.open(self.at(path), os.O_RDONLY | os.O_DIRECTORY)

    def readdir(self, path, fh):
        with os.scandir(fh) as entries:
            found = [(entry.name, entry.stat(follow_symlinks=False)) for entry in entries]
        named = ((os.fsencode(name).decode("latin-1"), status) for name, status in found)
        return [".", "..", *((name, {"st_ino": status.st_ino, "st_mode": status.st_mode}, 0) for name, status in named)]

    def releasedir(self, path, fh):
        os.close(fh)

    def readlink(self, path):
        return os.readlink(self.at(path)).decode("latin-1")

    def mknod(self, path, mode, dev):
        at = self.at(path)
        os.mknod(at, mode, dev)
        self.changed(at)

    def mkdir(self, path, mode):
        at = self.at(path)
        os.mkdir(at, mode)
        self.changed(at)

    def symlink(self, path, target):
        at = self.at(path)
        os.symlink(target, at)
        self.changed(at)

    def link(self, path, source):
        at = self.at(path)
        os.link(self.at(source), at, follow_symlinks=False)
        self.changed(at)

    def unlink(self, path):
        at = self.at(path)
        self.check(at)
        os.unlink(at)
        self.changed(at)

    def rmdir(self, path):
        at = self.at(path)
        os.rmdir(at)
        self.changed(at)

    def rename(self, old, new):
        source, target = self.at(old), self.at(new)
        self.check(source)
        self.check(target)
        if source == target:
            # A change of case or composition alone.
            target = os.path.join(os.path.dirname(source), stored(os.path.basename(new)))
        os.rename(source, target)
        self.changed(source, target)

    def chmod(self, path, mode):
        at = self.at(path)
        if not mode & UNLOCK:
            self.check(at)
        os.chmod(at, mode & ~UNLOCK)

    def chown(self, path, uid, gid):
        at = self.at(path)
        self.check(at)
        os.chown(at, uid, gid, follow_symlinks=False)

    def utimens(self, path, times):
        at = self.at(path)
        self.check(at)
        os.utime(at, ns=times, follow_symlinks=False)

    def truncate(self, path, length, fh=None):
        if fh:
            os.ftruncate(fh, length)
            return
        at = self.at(path)
        self.check(at)
        os.truncate(at, length)

    def open(self, path, flags):
        at = self.at(path)
        if flags & (os.O_WRONLY | os.O_RDWR):
            self.check(at)
        return os.open(at, flags & ~(os.O_NOFOLLOW | os.O_APPEND | os.O_CREAT | os.O_EXCL))

    def create(self, path, mode):
        at = self.at(path)
        fh = os.open(at, os.O_RDWR | os.O_CREAT, mode & 0o7777)
        self.changed(at)
        return fh

    def read(self, path, size, offset, fh):
        return os.pread(fh, size, offset)

    def write(self, path, data, offset, fh):
        return os.pwrite(fh, data, offset)

    def flush(self, path, fh):
        return 0

    def fsync(self, path, datasync, fh):
        return 0

    def release(self, path, fh):
        os.close(fh)

    def statfs(self, path):
        found = os.statvfs(self.at(path))
        return {key: getattr(found, key) for key in ("f_bavail", "f_bfree", "f_blocks", "f_bsize", "f_favail", "f_ffree", "f_files", "f_frsize", "f_namemax")}


if __name__ == "__main__":
    os.umask(0)
    FUSE(
        MacVolume(sys.argv[1]), sys.argv[2], encoding="latin-1", foreground=True, nothreads=True, fsname="mac-volume",
        allow_other=True, default_permissions=True, use_ino=True, hard_remove=True,
        attr_timeout=0, entry_timeout=0, negative_timeout=0, ac_attr_timeout=0,
    )
