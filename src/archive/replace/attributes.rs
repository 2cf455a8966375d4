//! What a file has beside its octets, mode and times: an owner, access control lists, and what programs wrote beside
//! it.
//!
//! An access control list of POSIX is the attribute `system.posix_acl_access`; without it the bits of the group, which
//! are its mask, would let in whom it kept out. What the system itself gives a new file (`security.*`, `trusted.*`) is
//! only offered.

use std::ffi::{CStr, CString};
use std::fs::{File, Metadata};
use std::io;
use std::os::unix::fs::{MetadataExt, fchown};
use std::path::Path;

use rustix::fs::{XattrFlags, fgetxattr, fgetxattr_query, flistxattr, flistxattr_query, fremovexattr, fsetxattr};
use rustix::io::Errno;

/// The access control list of a file.
const ACL: &CStr = c"system.posix_acl_access";

/// Gives a new file the owner and the group of another; an error where that is not permitted.
pub fn keep_owner(file: &File, like: &Metadata) -> io::Result<()> {
    let now = file.metadata()?;
    if (now.uid(), now.gid()) == (like.uid(), like.gid()) {
        return Ok(());
    }
    fchown(file, Some(like.uid()), Some(like.gid()))
}

/// Gives a new file the attributes of another, if that is still there. The caller sets the mode after that, since it is
/// a part of the access control list.
pub fn copy(from: &Path, to: &File) -> io::Result<()> {
    let from = match File::open(from) {
        // It is seen when the new one is to take its place.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        opened => opened?,
    };
    let names = names(&from)?;
    // A folder may give every new file a list.
    if !names.iter().any(|name| **name == *ACL) {
        none_is_fine(fremovexattr(to, ACL))?;
    }
    for name in names {
        let is_offered = name.to_bytes().starts_with(b"security.") || name.to_bytes().starts_with(b"trusted.");
        let copied = value(&from, &name).and_then(|value| fsetxattr(to, &*name, &value, XattrFlags::empty()));
        // The system gives a new file its own of these, and may refuse any other.
        if !is_offered {
            copied?;
        }
    }
    Ok(())
}

/// Returns the names of a file's attributes; none where the file system has no attributes.
fn names(file: &File) -> io::Result<Vec<CString>> {
    let mut list = vec![0; none_is_fine(flistxattr_query(file))?.unwrap_or_default()];
    if list.is_empty() {
        return Ok(Vec::new());
    }
    let length = flistxattr(file, &mut list[..])?;
    list.truncate(length);
    let names = list.split_inclusive(|octet| *octet == 0);
    Ok(names.filter_map(|name| CStr::from_bytes_with_nul(name).ok()).map(CStr::to_owned).collect())
}

/// Reads the value of an attribute.
fn value(file: &File, name: &CStr) -> Result<Vec<u8>, Errno> {
    let mut value = vec![0; fgetxattr_query(file, name)?];
    let length = if value.is_empty() { 0 } else { fgetxattr(file, name, &mut value[..])? };
    value.truncate(length);
    Ok(value)
}

/// Returns `None` for an attribute that is not there, and on a file system that has none; any other error is one.
fn none_is_fine<T>(result: Result<T, Errno>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(Errno::NODATA | Errno::NOTSUP | Errno::NOSYS) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An access control list: entries of a tag, permissions and an id (acl(5), as the kernel has them).
    fn list(entries: &[(u16, u16, u32)]) -> Vec<u8> {
        let entry = |(tag, permissions, id): &(u16, u16, u32)| {
            [&tag.to_le_bytes()[..], &permissions.to_le_bytes(), &id.to_le_bytes()].concat()
        };
        [2u32.to_le_bytes().to_vec(), entries.iter().flat_map(entry).collect()].concat()
    }

    #[test]
    fn who_may_read_stays() {
        let folder = tempfile::tempdir_in(".").expect("a folder");
        let path = folder.path().join("old");
        let (old, new) =
            (File::create(&path).expect("a file"), File::create(folder.path().join("new")).expect("a file"));
        let nobody = u32::MAX;
        let acl = list(&[(1, 6, nobody), (2, 6, 34), (4, 0, nobody), (16, 6, nobody), (32, 0, nobody)]);
        if fsetxattr(&old, ACL, &acl, XattrFlags::empty()).is_err() {
            return; // The file system has no lists.
        }
        fsetxattr(&old, c"user.note", b"", XattrFlags::empty()).expect("an attribute");
        copy(&path, &new).expect("attributes copied");
        assert_eq!((value(&new, ACL), value(&new, c"user.note")), (Ok(acl), Ok(Vec::new())));
        let plain = folder.path().join("plain");
        drop(File::create(&plain).expect("a file"));
        copy(&plain, &new).expect("attributes copied");
        assert_eq!(value(&new, ACL), Err(Errno::NODATA));
    }
}
