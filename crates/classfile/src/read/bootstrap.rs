//! Bootstrap methods of `invokedynamic` (JVMS 4.7.23).

use super::class_file::ClassFile;
use super::constant_pool::MemberRef;
use super::reader::u2_at;

impl<'a> ClassFile<'a> {
    /// The method that links an `InvokeDynamic` or `Dynamic` entry of the
    /// constant pool; `None` if the entry or its way there is malformed.
    pub fn bootstrap_method(&self, index: u16) -> Option<MemberRef<'a>> {
        let pool = self.constant_pool();
        let wanted = pool.bootstrap_index(index).ok()?;
        let table = self
            .attributes()
            .ok()?
            .find_map(|attribute| attribute.ok().filter(|found| found.name == b"BootstrapMethods"))?
            .info;
        let count = u2_at(table, 0)?;
        let mut at = 2;
        for _ in 0..wanted.min(count) {
            let arguments = usize::from(u2_at(table, at + 2)?);
            at += 4 + 2 * arguments;
        }
        let handle = u2_at(table, at).filter(|_| wanted < count)?;
        let (_, member) = pool.method_handle(handle).ok()?;
        pool.member_ref(member).ok()
    }
}
